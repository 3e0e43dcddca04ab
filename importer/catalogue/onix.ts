import { TextDecoder } from 'node:util'
import { XMLParser } from 'fast-xml-parser'
import { bytesOf } from './bytes.ts'
import { refuseBinary, wideEncodingOf } from './encoding.ts'
import { BrokenFile } from './entry.ts'
import { OnixNode } from './onix-node.ts'
import { REFERENCE_TAGS } from './onix-tags.ts'

export interface OnixProduct {
  readonly line: number
  /** Undefined if the product is not well-formed XML. */
  readonly product: OnixNode | undefined
}

const LARGEST_PRODUCT = 4_000_000

const parser = new XMLParser({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  parseAttributeValue: false,
  parseTagValue: false,
  processEntities: true,
  // Keep the markup of texts as written; it is sanitised later.
  stopNodes: ['*.Text'],
  transformTagName: (name) => REFERENCE_TAGS[name] ?? name,
  trimValues: true,
})

/**
 * The products of an ONIX 3 message, one at a time, with short tags converted to reference names.
 *
 * @throws `BrokenFile` if the file is not ONIX 3 or is truncated
 */
export async function* onixProducts(path: string): AsyncGenerator<OnixProduct> {
  let decoder: TextDecoder | undefined
  let text = ''
  let line = 1
  for await (const piece of bytesOf(path)) {
    if (!decoder) {
      refuseBinary(piece)
      decoder = decoderOf(piece)
      text = decoder.decode(piece, { stream: true })
      refuseOther(text)
    } else text += decoder.decode(piece, { stream: true })
    const { products, rest, at } = cut(text, line)
    yield* products
    ;[text, line] = [rest, at]
    if (text.length > LARGEST_PRODUCT)
      throw new BrokenFile(`From line ${line} on, no product ends within ${LARGEST_PRODUCT} characters.`)
  }
  if (/<product[\s>]/i.test(text))
    throw new BrokenFile(
      `The file ends in the middle of the product that begins on line ${lineOfProduct(text, line)}.`,
    )
  if (!/<\/onixmessage\s*>/i.test(text)) throw new BrokenFile('The file ends before the ONIX message does.')
}

function cut(text: string, from: number): { products: OnixProduct[]; rest: string; at: number } {
  const products: OnixProduct[] = []
  const pattern = /<(product)(?=[\s>])[^]*?<\/\1\s*>/gi
  let [end, line] = [0, from]
  for (const match of text.matchAll(pattern)) {
    line += breaksIn(text.slice(end, match.index))
    products.push({ line, product: read(match[0]) })
    line += breaksIn(match[0])
    end = match.index + match[0].length
  }
  return { products, rest: text.slice(end), at: line }
}

function read(xml: string): OnixNode | undefined {
  try {
    const parsed: Record<string, unknown> = parser.parse(xml, true)
    return new OnixNode(Object.values(parsed)[0])
  } catch {
    return undefined
  }
}

function decoderOf(start: Buffer): TextDecoder {
  const wide = wideEncodingOf(start)
  const told = /^[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(start.subarray(0, 200).toString('latin1'))?.[1]
  try {
    return new TextDecoder(wide ?? told ?? 'utf-8')
  } catch {
    throw new BrokenFile(`The file says its encoding is “${told}”, which is not one we know.`)
  }
}

function refuseOther(text: string): void {
  const message = /<onixmessage\b([^>]*)>/i.exec(text)
  if (!message) throw new BrokenFile('The file is not an ONIX message: it has no <ONIXMessage>.')
  const release = /release\s*=\s*["']([^"']*)["']/.exec(message[1]!)?.[1]
  if (!release?.startsWith('3.'))
    throw new BrokenFile(`The message is ONIX ${release ?? '2.1 or older'}; the shop reads ONIX 3.0 and 3.1.`)
}

const breaksIn = (text: string): number => text.split('\n').length - 1
const lineOfProduct = (text: string, line: number): number =>
  line + breaksIn(text.slice(0, text.search(/<product[\s>]/i)))
