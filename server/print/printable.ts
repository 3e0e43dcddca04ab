/** A title must neither move a terminal's cursor nor reverse text: replaces such characters by code points. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => (character === '\n' || character === '\t' ? character : codePointOf(character)),
  )

export const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
