import { XMLParser } from 'fast-xml-parser'

/** An element, or a run of text. Comments and instructions are left out, as in a CFI. */
export interface Markup {
  /** Empty for text. */
  readonly name: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Markup[]
}

type Ordered = Readonly<Record<string, unknown>>

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  htmlEntities: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
})

/** Children in document order. @throws if the text is not XML */
export const readMarkup = (xml: string): Markup[] => nodesOf(parser.parse(xml))

function nodesOf(ordered: unknown): Markup[] {
  if (!Array.isArray(ordered)) return []
  return ordered.flatMap((node: Ordered) => {
    if (typeof node['#text'] === 'string')
      return [{ name: '', text: node['#text'], attributes: {}, children: [] }]
    const name = Object.keys(node).find((key) => key !== ':@')
    if (name === undefined || name.startsWith('?') || name.startsWith('!')) return []
    return [
      { name: local(name), text: '', attributes: attributesOf(node[':@']), children: nodesOf(node[name]) },
    ]
  })
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()

const attributesOf = (given: unknown): Record<string, string> =>
  typeof given === 'object' && given !== null
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    : {}

export const elements = ({ children }: Pick<Markup, 'children'>): Markup[] =>
  children.filter(({ name }) => name !== '')

export const firstNamed = (nodes: readonly Markup[], name: string): Markup | undefined =>
  nodes.find((node) => node.name === name)

export const textIn = (node: Markup): string => node.text + node.children.map(textIn).join('')
