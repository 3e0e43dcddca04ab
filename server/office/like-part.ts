/** The pattern for `like` that finds lower-case text with these words in it. */
export const likePart = (words: string): string =>
  `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
