// Reports each test in a line of its own, behind a mark that tells it from what
// the solution prints.
export default async function* reporter(source) {
  for await (const { type, data } of source) {
    const isResult = type === 'test:pass' || type === 'test:fail';
    if (!isResult || data.details.type === 'suite') {
      continue;
    }
    const { skip, todo } = data;
    const error = data.details.error?.cause ?? data.details.error;
    const passed =
      type === 'test:pass' && skip === undefined && todo === undefined;
    const message = passed ? '' : String(error?.stack ?? error);
    yield `\n\x16${JSON.stringify({ name: data.name, passed, message })}\n`;
  }
}
