package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/track"
)

// complete lets a shell complete the value of a flag.
func complete(cmd *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // cmd lacks the flag
	}
}

// completeFolders lets a shell complete the value of a flag by folders.
func completeFolders(cmd *cobra.Command, flag string) {
	complete(cmd, flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

// completeLanguages completes the last language of a list with commas.
func (c *command) completeLanguages(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
	comma := strings.LastIndex(start, ",") + 1
	given := strings.Split(start[:comma], ",")
	var values []string
	for _, l := range c.languages {
		if !slices.Contains(given, l.Facts().Name) {
			values = append(values, cobra.CompletionWithDesc(start[:comma]+l.Facts().Name, l.Facts().Title))
		}
	}
	return startingWith(start, values), cobra.ShellCompDirectiveNoFileComp
}

func completeIsolations(_ *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
	var values []string
	for _, i := range isolations {
		values = append(values, cobra.CompletionWithDesc(i.name, i.about))
	}
	return startingWith(start, values), cobra.ShellCompDirectiveNoFileComp
}

// completeSlug completes the slug of a published exercise.
func (c *command) completeSlug(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.publishedSlugs(".", nil, start), cobra.ShellCompDirectiveNoFileComp
}

// completeExercise completes one folder of an exercise.
func (c *command) completeExercise(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return exercisesIn(".", nil, start)
}

// completeExercises completes folders of exercises and, if --specs is given, the slugs of
// published exercises.
func (c *command) completeExercises(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	if c.specs != "" {
		if slugs := c.publishedSlugs(".", args, start); len(slugs) > 0 {
			return slugs, cobra.ShellCompDirectiveNoFileComp
		}
	}
	return exercisesIn(".", args, start)
}

// exercisesIn lists the exercises in a folder that are not given yet. If the start fits no
// exercise, the shell completes other folders.
func exercisesIn(dir string, given []string, start string) ([]string, cobra.ShellCompDirective) {
	dirs, _ := track.Find(dir)
	var names []string
	for _, d := range dirs {
		if name := track.Show(d); name != "." && !slices.Contains(given, name) {
			names = append(names, name)
		}
	}
	if names = startingWith(start, names); len(names) > 0 {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// slugsIn lists the exercises in a folder by their slugs.
func slugsIn(dir string) []string {
	dirs, _ := track.Find(dir)
	var slugs []string
	for _, d := range dirs {
		if paths := track.Paths(d); len(paths) > 0 {
			slugs = append(slugs, filepath.Base(paths[0]))
		}
	}
	return slugs
}

// publishedSlugs lists the published exercises that are not given yet, from the checkouts
// found from a folder.
func (c *command) publishedSlugs(dir string, given []string, start string) []string {
	var slugs []string
	for _, checkout := range c.checkouts(dir) {
		more, _ := track.Slugs(checkout)
		slugs = append(slugs, more...)
	}
	slugs = slices.DeleteFunc(slugs, func(slug string) bool { return slices.Contains(given, slug) })
	return startingWith(start, slugs)
}

// startingWith sorts values and keeps those with a start, each once.
func startingWith(start string, values []string) []string {
	values = slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(v, start) })
	slices.Sort(values)
	return slices.Compact(values)
}
