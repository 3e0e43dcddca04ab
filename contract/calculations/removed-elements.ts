/**
 * What the reader takes out of a book (`cleanSection` of src/features/reading), so a CFI does not count it: elements
 * that are removed with their contents, and elements whose contents stay.
 */
export const REMOVED_ELEMENTS: ReadonlySet<string> = new Set(
  'script iframe frame frameset object embed applet portal base template noembed noframes xmp plaintext set animate input button select textarea datalist option optgroup keygen dialog isindex'.split(
    ' ',
  ),
)
export const UNWRAPPED_ELEMENTS: ReadonlySet<string> = new Set([
  'noscript',
  'form',
  'fieldset',
  'parsererror',
])
