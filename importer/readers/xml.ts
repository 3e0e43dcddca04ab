import { XMLParser } from 'fast-xml-parser'

export type Xml = string | undefined | { readonly [key: string]: Xml | readonly Xml[] }

const REPEATED = new Set([
  'rootfile',
  'title',
  'creator',
  'contributor',
  'language',
  'publisher',
  'description',
  'subject',
  'date',
  'meta',
  'item',
  'itemref',
  'identifier',
  'EncryptedData',
])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  isArray: (tag) => REPEATED.has(tag),
})

/** @throws if the text is not XML */
export const parseXml = (bytes: Buffer | string): Xml => parser.parse(bytes)

// `Array.isArray` does not narrow readonly arrays.
const isList = (inner: Xml | readonly Xml[]): inner is readonly Xml[] => Array.isArray(inner)

export function all(node: Xml, ...path: readonly string[]): Xml[] {
  let nodes: Xml[] = [node]
  for (const step of path)
    nodes = nodes.flatMap((each) => {
      const inner = typeof each === 'object' ? each[step] : undefined
      return inner === undefined ? [] : isList(inner) ? [...inner] : [inner]
    })
  return nodes
}

export function text(node: Xml, key: string): string | undefined {
  const value = typeof node === 'object' ? node[key] : undefined
  return typeof value === 'string' ? value : undefined
}

export const plain = (node: Xml): string | undefined =>
  (typeof node === 'string' ? node : text(node, '#text'))?.replaceAll('\0', '').trim() || undefined
