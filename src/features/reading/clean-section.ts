const MARKUP = ['application/xhtml+xml', 'text/html', 'image/svg+xml'] as const
type Markup = (typeof MARKUP)[number]

/**
 * Cleans a book's section: text and styles stay, active content goes. Inline style sheets become separate
 * files, because the page's policy blocks inline ones; `keep` receives their addresses.
 *
 * @returns the given text if it is not markup
 */
export function cleanSection(text: string, given: string, keep: (address: string) => void): string {
  const type = MARKUP.find((markup) => markup === given)
  if (!type) return text
  const doc = parsed(text, type)
  removeActing(doc)
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

/**
 * Text that fails to parse as XML is parsed as HTML, as is text that merely contains a `parsererror` of its
 * own. Either way the result is serialised from the parsed document, never passed on unparsed.
 */
function parsed(text: string, type: Markup): Document {
  const doc = new DOMParser().parseFromString(text, type)
  return doc.querySelector('parsererror') ? new DOMParser().parseFromString(text, 'text/html') : doc
}

/**
 * Elements that are active, open something else, or parse differently the second time: a template may become
 * a shadow root, an animation may set a URL.
 */
const ACTING =
  'script, iframe, frame, frameset, object, embed, applet, portal, base, template, noembed, noframes, ' +
  'xmp, plaintext, set, animate, meta[http-equiv]'

/** Remove form controls: a book needs none, and a password field could pass for the app's own. */
const CONTROLS = 'input, button, select, textarea, datalist, option, optgroup, keygen, dialog, isindex'

function removeActing(doc: Document): void {
  for (const active of [...doc.querySelectorAll(ACTING)])
    if (!/^content-type$/i.test(active.getAttribute('http-equiv') ?? '')) active.remove()
  for (const control of [...doc.querySelectorAll(CONTROLS)]) control.remove()
  // Scripts are removed, so show the text of `noscript`; keep the text of a form without the form.
  for (const instead of [...doc.querySelectorAll('noscript, parsererror, form, fieldset')])
    instead.replaceWith(...instead.childNodes)
  for (const node of [...untold(doc)]) node.remove()
  for (const element of doc.querySelectorAll('*'))
    for (const { name, localName, value } of [...element.attributes])
      if (
        /^on|^(?:srcdoc|ping|action|formaction|contenteditable|popover|popovertarget)$/i.test(localName) ||
        !leadsSomewhereSafe(value)
      )
        element.removeAttribute(name)
}

/**
 * Comments, which may end elsewhere when they are parsed again, and instructions such as a transforming style
 * sheet.
 */
function* untold(doc: Document): Generator<ChildNode> {
  const nodes = doc.createNodeIterator(doc, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const isLooks =
      node.nodeName === 'xml-stylesheet' && /type\s*=\s*["']text\/css["']/.test(node.nodeValue ?? '')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only children of something are met
    if (!isLooks) yield node as ChildNode
  }
}

/** Checks a URL as browsers parse it: without the control characters and spaces that they ignore. */
function leadsSomewhereSafe(value: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are the ones that are left out
  const address = value.replaceAll(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/g, '')
  return !/^(?:(?:javascript|vbscript|livescript|mocha):|data:(?!image\/(?!svg)|font\/|audio\/))/i.test(
    address,
  )
}
