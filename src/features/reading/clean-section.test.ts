// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { cleanSection } from './clean-section.ts'

const PAGE = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title>
<meta http-equiv="refresh" content="0; url=https://elsewhere.example"/>
<style>p { color: red }</style><script>steal()</script></head>
<body onload="steal()"><p onclick="steal()" class="first">Rain.</p>
<a href="javascript:steal()">More</a><a href="two.xhtml">Two</a><iframe src="x"></iframe></body></html>`

test('removes a book’s active content: scripts, frames and handlers; its text and links stay', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:style', revokeObjectURL: () => {} }))
  const kept: string[] = []
  const clean = cleanSection(PAGE, 'text/html', (address) => kept.push(address))
  expect(clean).not.toMatch(/steal|<iframe|refresh|<style/)
  expect(clean).toContain('<p class="first">Rain.</p>')
  expect(clean).toContain('href="two.xhtml"')
  expect(clean).toContain('href="blob:style"')
  expect(kept).toEqual(['blob:style'])
})

const body = (inside: string) =>
  cleanSection(
    `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body>${inside}</body></html>`,
    'application/xhtml+xml',
    () => {},
  )

test('a book that contains a `parsererror` is cleaned all the same', () => {
  for (const marked of [
    '<parsererror/>',
    '<x:parsererror xmlns:x="http://elsewhere.example"/>',
    '<p>unclosed',
  ]) {
    const clean = body(`${marked}<img src="x" onerror="steal()"/><script>steal()</script><b>Rain.</b>`)
    expect(clean).not.toMatch(/steal|<script/)
    expect(clean).toContain('Rain.')
  }
})

test.each([
  'javascript:steal()',
  'JaVaScRiPt:steal()',
  ' \n javascript:steal()',
  'java&#10;script:steal()',
  'java&#9;script:steal()',
  'java&#13;script&#10;:steal()',
  '&#x6a;avascript:steal()',
  'vbscript:steal()',
  'data:text/html,steal()',
  'data:image/svg+xml,steal()',
])('a link to %s is removed', (address) => {
  expect(
    body(
      `<a href="${address}">More</a><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="${address}"/></svg>`,
    ),
  ).not.toMatch(/steal/)
})

test.each([
  '<template shadowrootmode="open"><img src="x" onerror="steal()"/></template>',
  '<svg xmlns="http://www.w3.org/2000/svg"><a><set attributeName="href" to="javascript:steal()"/></a></svg>',
  '<!-- --!><img src="x" onerror="steal()"/> -->',
  '<iframe srcdoc="steal()"></iframe>',
  '<button formaction="/steal">Go</button>',
])('%s does nothing', (inside) => expect(body(inside)).not.toMatch(/steal/))

test('a transforming style sheet is removed, text about scripts and small pictures stay', () => {
  const clean = cleanSection(
    '<?xml-stylesheet type="text/xsl" href="steal.xsl"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body>' +
      '<p title="JavaScript: the good parts">Rain.</p><img alt="data: a, b" src="data:image/png;base64,AA=="/><noscript><i>Instead.</i></noscript></body></html>',
    'application/xhtml+xml',
    () => {},
  )
  expect(clean).not.toContain('steal')
  expect(clean).toContain('src="data:image/png;base64,AA=="')
  expect(clean).toContain('<i>Instead.</i>')
})

test('content that is not markup is unchanged', () => {
  expect(cleanSection('p { color: red }', 'text/css', () => {})).toBe('p { color: red }')
})

test('fields and buttons that could look like the app’s own are removed; a form’s text stays', () => {
  const clean = body(
    '<form action="https://elsewhere.example"><fieldset><p>Log in again</p><input type="password"/>' +
      '<button>Log in</button><select><option>One</option></select><textarea>Two</textarea></fieldset></form>' +
      '<p contenteditable="true">Rain.</p>',
  )
  expect(clean).not.toMatch(/<(?:form|fieldset|input|button|select|option|textarea)|contenteditable/)
  expect(clean).toContain('Log in again')
  expect(clean).toContain('Rain.')
})
