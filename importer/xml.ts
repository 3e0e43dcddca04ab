import { XMLParser, type X2jOptions } from 'fast-xml-parser'

/** Accepts malformed XML as far as it can be parsed; with `strict`, throws if the text is not well-formed. */
export function xmlReader({ strict = false, ...options }: X2jOptions & { strict?: boolean } = {}) {
  const parser = new XMLParser({
    attributeNamePrefix: '@',
    htmlEntities: true,
    ignoreAttributes: false,
    parseAttributeValue: false,
    parseTagValue: false,
    removeNSPrefix: true,
    ...options,
  })
  return (xml: Buffer | string): XmlNode => new XmlNode(parser.parse(xml, strict))
}

/** @throws if the text is not XML */
export const readXml = xmlReader()

/** Its accessors treat a missing, a single and a repeated child alike. A missing text is ''. */
export class XmlNode {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  all(...path: readonly string[]): XmlNode[] {
    return path.reduce<XmlNode[]>(
      (nodes, name) =>
        nodes.flatMap((node) =>
          [node.#children[name] ?? []].flat().map((each: unknown) => new XmlNode(each)),
        ),
      [this],
    )
  }

  text(...path: readonly string[]): string {
    return this.all(...path)[0]?.own ?? ''
  }

  get own(): string {
    const value = typeof this.#value === 'object' ? this.#children['#text'] : this.#value
    return typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
  }

  attribute(name: string): string {
    const value = this.#children[`@${name}`]
    return typeof value === 'string' ? value : ''
  }

  get #children(): Record<string, unknown> {
    return typeof this.#value === 'object' && this.#value !== null ? { ...this.#value } : {}
  }
}
