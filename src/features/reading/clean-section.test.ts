// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { cleanSection } from './clean-section.ts'

const PAGE = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title>
<meta http-equiv="refresh" content="0; url=https://elsewhere.example"/>
<style>p { color: red }</style><script>steal()</script></head>
<body onload="steal()"><p onclick="steal()" class="first">Rain.</p>
<a href="javascript:steal()">More</a><a href="two.xhtml">Two</a><iframe src="x"></iframe></body></html>`

test('nothing of a book acts: its scripts, frames and handlers are gone, its text and links stay', () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:style', revokeObjectURL: () => {} }))
  const kept: string[] = []
  const clean = cleanSection(PAGE, 'text/html', (address) => kept.push(address))
  expect(clean).not.toMatch(/steal|<iframe|refresh|<style/)
  expect(clean).toContain('<p class="first">Rain.</p>')
  expect(clean).toContain('href="two.xhtml"')
  expect(clean).toContain('href="blob:style"')
  expect(kept).toEqual(['blob:style'])
})

test('what is no markup is left as it is', () => {
  expect(cleanSection('p { color: red }', 'text/css', () => {})).toBe('p { color: red }')
})
