const MARKUP = new Set(['application/xhtml+xml', 'text/html', 'image/svg+xml'])

/**
 * What of a book is drawn: its text and looks, nothing that acts. Its inline style sheets become files of their
 * own, because the page's policy lets no inline ones through; `keep` is told their addresses.
 *
 * @returns what it was given where that is no markup
 */
export function cleanSection(text: string, type: string, keep: (address: string) => void): string {
  if (!MARKUP.has(type)) return text
  const doc = new DOMParser().parseFromString(text, type as DOMParserSupportedType)
  // Not well formed: foliate has already turned into HTML what it could not read as XHTML.
  if (doc.querySelector('parsererror')) return text
  for (const active of doc.querySelectorAll('script, iframe, frame, object, embed, base, meta[http-equiv]'))
    if (!/^content-type$/i.test(active.getAttribute('http-equiv') ?? '')) active.remove()
  for (const element of doc.querySelectorAll('*'))
    for (const { name, value } of [...element.attributes])
      if (/^on/i.test(name) || /^\s*javascript:/i.test(value)) element.removeAttribute(name)
  for (const style of doc.querySelectorAll('style')) {
    if (!style.textContent || style.namespaceURI !== XHTML) continue
    const address = URL.createObjectURL(new Blob([style.textContent], { type: 'text/css' }))
    keep(address)
    const link = doc.createElementNS(XHTML, 'link')
    link.setAttribute('rel', 'stylesheet')
    link.setAttribute('href', address)
    style.replaceWith(link)
  }
  return type === 'text/html' ? doc.documentElement.outerHTML : new XMLSerializer().serializeToString(doc)
}

const XHTML = 'http://www.w3.org/1999/xhtml'
