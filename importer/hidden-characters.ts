import { codePointOf } from '#server/print/printable.ts'

/**
 * The reason for refusing a title, or undefined. Bidirectional controls such as U+202E reverse the rest of the line,
 * so a title could look like another one. Joiners and soft hyphens are allowed: many languages need them.
 */
export function hiddenIn(what: string, text: string): string | undefined {
  const [found] =
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u.exec(text) ?? []
  return found === undefined
    ? undefined
    : `The ${what} holds a character that can’t be seen (${codePointOf(found)}) and may turn it round. Remove it.`
}
