import { describe, expect, test } from 'vitest'
import { bodyOf } from './markdown.ts'
import { plainText, richBody } from './markdown.ts'

const html = async (markdown: string) =>
  (await bodyOf(markdown, async () => ({ id: 'ab'.repeat(16), width: 900, height: 600 }))).html

describe('a body', () => {
  test('is written in Markdown, and its headings begin at the second level', async () => {
    expect(await html('# One\n\n### Two\n\n##### Three\n\n- a\n- *b*\n\n1. c\n\n> **q**')).toBe(
      '<h2>One</h2>\n<h3>Two</h3>\n<h4>Three</h4>\n<ul>\n<li>a</li>\n<li><em>b</em></li>\n</ul>\n' +
        '<ol>\n<li>c</li>\n</ol>\n<blockquote>\n<p><strong>q</strong></p>\n</blockquote>',
    )
  })

  test('keeps links to web pages, email addresses and the shop, and drops links that run a script', async () => {
    const link = (href: string) => html(`[x](${href})`)
    for (const href of [
      'https://a.example/',
      'http://a.example/',
      'mailto:a@b.example',
      '/faq',
      'info/about',
    ])
      expect(await link(href)).toBe(`<p><a href="${href}" rel="noopener">x</a></p>`)
    for (const href of ['javascript:alert(1)', 'data:text/html,x', '//evil.example/', 'vbscript:x'])
      expect(await link(href)).not.toContain('href')
  })

  test('shows a picture on a line of its own as a figure, and one within text inline', async () => {
    expect(await html('![A "b" <c>](x.png)')).toMatch(
      /^<figure><img [^>]*alt="A &quot;b&quot; &lt;c&gt;"[^>]*><\/figure>$/,
    )
    expect(await html('![A](x.png "B & C")')).toContain('<figcaption>B &amp; C</figcaption>')
    expect(await html('Words ![A](x.png) words')).toMatch(/^<p>Words <img [^>]+> words<\/p>$/)
  })
})

describe('the stored HTML', () => {
  test.each([
    '<img src=x onerror=alert(1)>',
    '<img src="https://tracker.example/p.gif">',
    '<img src="//tracker.example/p.gif">',
    '<img src="/media/covers/ab/abababababababababababababababab-900.webp" srcset="https://tracker.example/p 1x">',
    '<img src="/media/../api/logout">',
    '<svg onload=alert(1)></svg>',
    '<script>alert(1)</script>',
    '<style>*{display:none}</style>',
    '<iframe src="https://tracker.example"></iframe>',
    '<p onclick="alert(1)" style="position:fixed" class="x" id="y"></p>',
    '<a href="java&#x0A;script:alert(1)">x</a>',
    '<form action="/api/logout"><input></form>',
    '<math><mi xlink:href="javascript:alert(1)"></mi></math>',
  ])('has nothing of %s', (given) => {
    expect(richBody(given).html).not.toMatch(
      /<(img|svg|script|style|iframe|form|input|math)|on\w+=|style=|class=|id=|script:|tracker|alert\(1\)\w/i,
    )
  })

  test('is converted to plain text where a page shows plain text', () => {
    expect(plainText('<p>One &amp; “two” &lt;3</p><p>Three</p>')).toBe('One & “two” <3\n\nThree')
  })
})
