import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { ImportRefused } from '../refused.ts'

export interface FrontMatter {
  /** The parsed YAML; a key whose value is empty counts as absent. */
  readonly keys: unknown
  readonly body: string
  /** Line number of each key, by JSON pointer. */
  readonly lines: ReadonlyMap<string, number>
}

const FENCED = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n([\s\S]*))?$/

/**
 * Parses a Markdown file with YAML front matter.
 *
 * @throws `ImportRefused` without front matter
 */
export function readFrontMatter(text: string): FrontMatter {
  const fenced = FENCED.exec(text.replaceAll('\r\n', '\n'))
  if (!fenced)
    throw new ImportRefused(
      'has no front matter at the top: a line of three hyphens, the keys, three hyphens again.',
    )
  const [, source = '', body = ''] = fenced
  const counter = new LineCounter()
  const document = parseDocument(source, { lineCounter: counter })
  const [fault] = document.errors
  if (fault) {
    const line = (fault.linePos?.[0].line ?? 1) + 1
    throw new ImportRefused(`line ${line}: ${fault.message.split(/ at line |\n/)[0]}.`)
  }
  const lines = new Map([['', 1]])
  const walk = (node: unknown, pointer: string): void => {
    if (isMap(node))
      for (const { key, value } of node.items) {
        if (!isScalar(key)) continue
        const below = `${pointer}/${String(key.value)}`
        lines.set(below, counter.linePos(key.range?.[0] ?? 0).line + 1)
        walk(value, below)
      }
    if (isSeq(node)) for (const [index, item] of node.items.entries()) walk(item, `${pointer}/${index}`)
  }
  walk(document.contents, '')
  return { keys: document.toJS() ?? {}, body, lines }
}
