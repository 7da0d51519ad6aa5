// Calls the solution for the harness: reads a question, calls a function, and
// writes what came of it. The solution runs in the same process and may change
// all that it can reach, so this module works with private copies, and encodes a
// result by what it is. As the tests do, it reads what has a getter, but it calls
// no other method of a value.

import * as fs from 'node:fs';
import * as util from 'node:util';

// Descriptors of the two pipes.
const questions = 3;
const replies = 4;

const { readSync, writeSync } = fs;
const { inspect } = util;
const {
  apply,
  defineProperty,
  get,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
} = Reflect;
const { hasOwn } = Object;
const { isArray } = Array;
const { parse, stringify } = JSON;
const { toString } = Object.prototype;
const { charCodeAt, indexOf, isWellFormed, lastIndexOf, slice } =
  String.prototype;
const { latin1Write, utf8Slice } = Buffer.prototype;
const { wait } = Atomics;
const errorPrototype = Error.prototype;
const bigInt = BigInt;
const newBytes = Buffer.allocUnsafeSlow;
// What process.exit calls at last; Node does not document it.
const quit = /** @type {any} */ (process).reallyExit;
const owner = process;
const number = Number;
const hex = '0123456789abcdef';
const stackOf = getOwnPropertyDescriptor(
  new Error('a pristine one'),
  'stack',
)?.get;
const noShape = { __proto__: null };
// Thrown where a result has a value of another kind than any data.
const wrongKind = { __proto__: null };
const idle = new Int32Array(new SharedArrayBuffer(4));
const folder = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1);
const own = import.meta.url.slice(folder.length);

// The table lies in the working folder, as this module does: a path takes less time
// than a URL. It names the solution's file and the functions under test. Each has its
// property, its exported name, how the tests call it, the keys of its arguments,
// whether integers are BigInt, and then the types of the input and of the result,
// which decide what is a BigInt.
const table = parse(fs.readFileSync('.driver.json', 'utf8'));
const { file } = table;
/** @type {Object<string, any>} */
const functions = { __proto__: null };
for (const fn of table.functions) {
  functions[fn.property] = fn;
}

const most = {
  __proto__: null,
  depth: 500,
  frames: 10,
  names: 5,
  shown: 500,
};

const inspection = {
  __proto__: null,
  breakLength: Infinity,
  compact: true,
  customInspect: false,
  depth: 5,
  maxArrayLength: 20,
  maxStringLength: 200,
};

// What has been read and is no full line yet.
let buffer = newBytes(1 << 16);
let size = 1 << 16;
let start = 0;
let end = 0;

const solution = await import(`./${file}`);

for (const property in functions) {
  const fn = functions[property];
  if (typeof solution[fn.name] !== 'function') {
    write(`{"missing":${quoted(insteadOf(fn))}}`);
    apply(quit, owner, [1]);
  }
}
write('{"ready":true}');
for (let line = read(); line !== null; line = read()) {
  write(answer(line));
}
// Timers that the solution left behind must not keep the process alive.
apply(quit, owner, [0]);

/** Tells what the solution exports in place of a function. */
function insteadOf({ name, call }) {
  const exports = `the tests call ${call}; ${file} exports`;
  if (name in solution) {
    return `${exports} ${name} = ${shown(solution[name])}`;
  }
  const keys = ownKeys(solution);
  let others = '';
  for (let i = 0; i < keys.length && i < most.names; i++) {
    const key = keys[i];
    if (typeof key === 'string') {
      others += `${i > 0 ? ', ' : ', but '}${key}`;
    }
  }
  let advice = others === '' ? '; write "export" in front of it' : '';
  if ('default' in solution) {
    advice = '; write "export" without "default"';
  }
  return `${exports} no ${name}${others}${advice}`;
}

/** Reads a line, or null at the end. */
function read() {
  for (let at = start; ; at++) {
    if (at === end) {
      at -= start;
      if (!more()) {
        return null;
      }
    }
    if (buffer[at] === 10) {
      const line = apply(utf8Slice, buffer, [start, at]);
      start = at + 1;
      return line;
    }
  }
}

/** Reads what comes next, behind what is there, which moves to the front. */
function more() {
  const left = end - start;
  const wider = left > size / 2 ? size * 2 : size;
  const next = newBytes(wider);
  for (let i = 0; i < left; i++) {
    next[i] = buffer[start + i];
  }
  buffer = next;
  size = wider;
  start = 0;
  end = left;
  const count = again(() => readSync(questions, buffer, end, size - end, null));
  end += count;
  return count > 0;
}

/** Writes a line. The text is ASCII: a byte for each character. */
function write(text) {
  const count = text.length + 1;
  const bytes = newBytes(count);
  apply(latin1Write, bytes, [`${text}\n`]);
  for (let at = 0; at < count;) {
    at += again(() => writeSync(replies, bytes, at, count - at));
  }
}

/** Tries again while the other end is not ready. */
function again(action) {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'EAGAIN') {
        throw error;
      }
      wait(idle, 0, 0, 5);
    }
  }
}

/** Answers one question. */
function answer(line) {
  const question = parse(line);
  let note = '';
  const reply = (kind, text) =>
    `{"id":${quoted(question.id)},"${kind}":${text}${note}}`;
  const fn = functions[question.property];
  if (fn === undefined) {
    return reply('other', quoted('the driver knows no such property'));
  }
  let result;
  try {
    const called = solution[fn.name];
    const args = argumentsOf(fn, fn.big ? exact(line, fn) : question.input);
    const { length } = called;
    if (length > args.length && typeof length === 'number') {
      const has = `${file} has it with ${length} parameters`;
      note = `,"note":${quoted(`the tests call ${fn.call}; ${has}`)}`;
    }
    result = apply(called, undefined, args);
  } catch (thrown) {
    return failed(reply, thrown);
  }
  try {
    return reply('result', encode(result, fn, question.most));
  } catch (problem) {
    const isKind = problem === wrongKind;
    return reply('other', quoted(isKind ? described(result) : textOf(problem)));
  }
}

/** Lists the arguments. Those that are absent at the end are left out. */
function argumentsOf(fn, input) {
  const args = [];
  let count = 0;
  for (let i = 0; i < fn.keys.length; i++) {
    const isGiven = hasOwn(input, fn.keys[i]);
    put(args, i, isGiven ? input[fn.keys[i]] : undefined);
    count = isGiven ? i + 1 : count;
  }
  args.length = count;
  return args;
}

/** Sets a property, whatever setters a prototype has. */
function put(object, key, value) {
  const property = {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  };
  defineProperty(object, key, property);
}

/**
 * Reads the input with exact integers. Before numbers can be rounded they are
 * put into quotes behind an n, and each other string gets an s in front.
 */
function exact(line, fn) {
  let tagged = '';
  for (let i = 0; i < line.length;) {
    let next = i + 1;
    if (line[i] === '"') {
      while (line[next] !== '"') {
        next += line[next] === '\\' ? 2 : 1;
      }
      next++;
      const text = apply(slice, line, [i + 1, next]);
      tagged += (line[next] === ':' ? '"' : '"s') + text;
    } else if (line[i] === '-' || isDigit(line[i])) {
      while (isInNumber(line[next])) {
        next++;
      }
      tagged += '"n' + apply(slice, line, [i, next]) + '"';
    } else {
      tagged += line[i];
    }
    i = next;
  }
  return untagged(parse(tagged).input, fn.shapes, 0);
}

function isDigit(c) {
  return c >= '0' && c <= '9';
}

function isInNumber(c) {
  return (
    isDigit(c) || c === '.' || c === 'e' || c === 'E' || c === '+' || c === '-'
  );
}

function untagged(value, shapes, at) {
  if (typeof value === 'string') {
    const text = apply(slice, value, [1]);
    if (value[0] === 's') {
      return text;
    }
    for (let i = 0; i < text.length; i++) {
      if (
        (!isDigit(text[i]) && text[i] !== '-') ||
        (i > 0 && text[i] === '-')
      ) {
        return number(text);
      }
    }
    return shapeOf(shapes, at).float === true ? number(text) : bigInt(text);
  }
  if (typeof value === 'object' && value !== null) {
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      if (isArray(value) && keys[i] === 'length') {
        continue;
      }
      const inner = innerShape(shapes, at, keys[i]);
      put(value, keys[i], untagged(value[keys[i]], shapes, inner));
    }
  }
  return value;
}

/** Encodes a result as JSON, or throws what is wrong with it. */
function encode(result, fn, mostText) {
  let values = 0;
  let length = 0;

  function value(v, around, depth, at) {
    values++;
    if (values + length > mostText) {
      throw 'more data than any answer has';
    }
    switch (typeof v) {
      case 'boolean':
        return v ? 'true' : 'false';
      case 'string':
        return text(v);
      case 'number':
        return numeral(v, fn, at);
      case 'bigint':
        if (!fn.big || shapeOf(fn.shapes, at).float === true) {
          throw wrongKind;
        }
        return '' + v;
      case 'object':
        return v === null ? 'null' : structure(v, around, depth, at);
      default:
        throw wrongKind;
    }
  }

  function text(v) {
    length += v.length;
    if (!apply(isWellFormed, v, [])) {
      throw 'a string with half a character';
    }
    return quoted(v);
  }

  function structure(v, around, depth, at) {
    if (depth > most.depth) {
      throw 'data nested too deeply';
    }
    for (let outer = around; outer !== null; outer = outer.around) {
      if (outer.value === v) {
        throw 'an object that holds itself';
      }
    }
    const here = { __proto__: null, value: v, around };
    if (isArray(v)) {
      return list(v, here, depth, at);
    }
    if (apply(toString, v, []) !== '[object Object]') {
      throw wrongKind;
    }
    return object(v, here, depth, at);
  }

  function list(v, here, depth, at) {
    const count = read(v, 'length');
    const inner = innerShape(fn.shapes, at, undefined);
    let items = '';
    for (let i = 0; i < count; i++) {
      items += (i > 0 ? ',' : '') + value(read(v, i), here, depth + 1, inner);
    }
    return `[${items}]`;
  }

  function object(v, here, depth, at) {
    const keys = ownKeys(v);
    let fields = '';
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (typeof key !== 'string' || !isEnumerable(v, key)) {
        continue;
      }
      const field = read(v, key);
      if (field !== undefined) {
        const inner = innerShape(fn.shapes, at, key);
        fields += `${fields === '' ? '' : ','}${text(key)}:${value(field, here, depth + 1, inner)}`;
      }
    }
    return `{${fields}}`;
  }

  function isEnumerable(v, key) {
    const property = getOwnPropertyDescriptor(v, key);
    return property !== undefined && property.enumerable;
  }

  /** Reads a property, where the solution's own code may have its say. */
  function read(v, key) {
    try {
      return get(v, key);
    } catch (error) {
      throw `an object whose ${quoted('' + key)} cannot be read`;
    }
  }

  return value(result, null, 0, 1);
}

/** Finds the type at a place among others. */
function shapeOf(shapes, at) {
  return shapes === null || at === undefined ? noShape : shapes[at];
}

/** Finds the place of the type of the items of a list, or of a key's value. */
function innerShape(shapes, at, key) {
  const shape = shapeOf(shapes, at);
  if (hasOwn(shape, 'elem')) {
    return shape.elem;
  }
  return key !== undefined &&
    hasOwn(shape, 'fields') &&
    hasOwn(shape.fields, key)
    ? shape.fields[key]
    : undefined;
}

/**
 * Writes a number. Where it may be a BigInt as well, a whole one has a decimal
 * point or an exponent.
 */
function numeral(v, fn, at) {
  const isWhole = v % 1 === 0;
  const isExact = fn.big && shapeOf(fn.shapes, at).float !== true;
  if (isExact && isWhole && shapeOf(fn.shapes, at).any !== true) {
    throw wrongKind;
  }
  if (v !== v || v === Infinity || v === -Infinity) {
    throw wrongKind;
  }
  const text = '' + v;
  const isPlain = isWhole && apply(indexOf, text, ['e']) < 0;
  return isPlain && isExact ? text + '.0' : text;
}

/** Writes a string as JSON in ASCII. */
function quoted(text) {
  const json = stringify(text);
  let ascii = '';
  let from = 0;
  for (let i = 0; i < json.length; i++) {
    if (json[i] > '~') {
      const code = apply(charCodeAt, json, [i]);
      ascii += `${apply(slice, json, [from, i])}\\u`;
      ascii +=
        hex[code >> 12] +
        hex[(code >> 8) & 15] +
        hex[(code >> 4) & 15] +
        hex[code & 15];
      from = i + 1;
    }
  }
  return ascii + apply(slice, json, [from]);
}

/** Replies what was thrown. */
function failed(reply, thrown) {
  const isObject = typeof thrown === 'object' && thrown !== null;
  if (!isObject || !isError(thrown)) {
    return reply('other', quoted(`throws ${shown(thrown)}, which is no Error`));
  }
  const message = find(thrown, 'message');
  const hasMessage = typeof message === 'string';
  const text = hasMessage ? message : ' whose message is no string';
  const type = quoted(typeName(thrown));
  const error = `{"type":${type},"message":${quoted(text)},"has_message":${hasMessage}}`;
  return reply('error', `${error},"trace":${trace(thrown)}`);
}

/** Tells whether an object is an Error, by its prototypes. */
function isError(v) {
  try {
    for (let p = v; p !== null; p = getPrototypeOf(p)) {
      if (p === errorPrototype) {
        return true;
      }
    }
  } catch {
    // A Proxy may have its say.
  }
  return false;
}

/** Finds a property in an object or its prototypes, if it can be read. */
function find(v, key) {
  try {
    return get(v, key);
  } catch {
    return undefined;
  }
}

/** Names the class of an object. */
function typeName(v) {
  const type = find(v, 'constructor');
  const name = typeof type === 'function' ? find(type, 'name') : undefined;
  return typeof name === 'string' ? name : 'object';
}

/** Writes any value as the tests do, on one line. */
function shown(v) {
  try {
    const text = inspect(v, inspection);
    return text.length > most.shown
      ? `${apply(slice, text, [0, most.shown])}...`
      : text;
  } catch {
    return 'data that cannot be read';
  }
}

/** Writes a result that is no data, and says what it is where that is hard to see. */
function described(v) {
  if (v === undefined) {
    return 'undefined; is a return missing?';
  }
  if (typeof v === 'function') {
    return `${shown(v)}, which was not called`;
  }
  if (typeof v !== 'object' || v === null) {
    return shown(v);
  }
  if (isError(v)) {
    return `${typeName(v)} ${shown(find(v, 'message'))}, returned and not thrown`;
  }
  const kind = kindOf(v);
  if (kind === 'Promise') {
    return 'a Promise; write the function without async';
  }
  return endsWith(kind, 'Generator') || endsWith(kind, 'Iterator')
    ? `${shown(v)}, and no list of its items`
    : shown(v);
}

/** The kind that an object says it is of. */
function kindOf(v) {
  try {
    return apply(slice, apply(toString, v, []), [8, -1]);
  } catch {
    return '';
  }
}

function endsWith(text, end) {
  const at = text.length - end.length;
  return at >= 0 && apply(slice, text, [at]) === end;
}

/** The text of a problem that this module threw. */
function textOf(problem) {
  return typeof problem === 'string' ? problem : 'data that cannot be read';
}

/** Lists the lines of the solution in an error's stack, innermost first. */
function trace(error) {
  let stack = '';
  try {
    const property = getOwnPropertyDescriptor(error, 'stack');
    if (property !== undefined) {
      stack =
        hasOwn(property, 'value') || stackOf === undefined
          ? property.value
          : apply(stackOf, error, []);
    }
  } catch {
    // A solution may have its say in what a stack is.
  }
  if (typeof stack !== 'string') {
    return '[]';
  }
  let lines = '';
  let count = 0;
  for (let at = 0; count < most.frames;) {
    const found = apply(indexOf, stack, [folder, at]);
    if (found < 0) {
      break;
    }
    at = found + folder.length;
    let until = at;
    while (
      until < stack.length &&
      stack[until] !== '\n' &&
      stack[until] !== ')'
    ) {
      until++;
    }
    // The column is more than a reader needs.
    const place = apply(slice, stack, [at, until]);
    const shown = apply(slice, place, [0, apply(lastIndexOf, place, [':'])]);
    if (apply(indexOf, place, [own]) !== 0) {
      lines += `${count > 0 ? ',' : ''}${quoted(shown)}`;
      count++;
    }
    at = until;
  }
  return `[${lines}]`;
}
