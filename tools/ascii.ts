import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { decode, encode } from '@jridgewell/sourcemap-codec'

/**
 * Replaces all other characters of a script by escapes, and moves its source map along. V8 keeps a script's text in
 * memory, and a single character beyond Latin-1, such as an apostrophe (’), makes it use two bytes for each one: the
 * server needed 4 MB more.
 */
export function writeAsAscii(file: string): void {
  const code = readFileSync(file, 'utf8')
  // oxlint-disable-next-line no-control-regex -- everything that is not ASCII, with a backslash that escapes it
  const foreign = /(?<=(?:^|[^\\])(?:\\\\)*)\\(?=[^\u0000-\u007f])|[^\u0000-\u007f]/g
  const escaped = code.replaceAll(foreign, escapeOf)
  if (escaped === code) return
  writeFileSync(file, escaped)
  if (!existsSync(`${file}.map`)) return
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  const lines = code.split('\n')
  const mappings = decode(map.mappings).map((segments, line) => {
    const found = [...lines[line]!.matchAll(foreign)]
    let passed = 0
    let longer = 0
    for (const segment of segments) {
      for (; passed < found.length && found[passed]!.index < segment[0]; passed += 1)
        longer += escapeOf(found[passed]![0]).length - 1
      segment[0] += longer
    }
    return segments
  })
  writeFileSync(`${file}.map`, JSON.stringify({ ...map, mappings: encode(mappings) }))
}

const escapeOf = (character: string): string =>
  character === '\\' ? '' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
