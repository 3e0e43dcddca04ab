// Covers: pages
import { expect, test } from '../support/journey.ts'

test('a crawler without JavaScript finds a page’s description, picture and feed', async ({
  request,
  shop,
}) => {
  for (const [path, type] of [
    ['/audiobooks/the-lamplighters-ledger', 'book'],
    ['/articles/how-a-voice-learns-a-book', 'article'],
    ['/audiobooks', 'website'],
  ] as const) {
    // The addresses in the sitemap answer directly, without a redirect.
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.status(), path).toBe(200)
    const html = await answer.text()
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head, path).toContain(`<link rel="canonical" href="${shop.url}${path}"`)
    expect(head, path).toContain(`property="og:type" content="${type}"`)
    const [, picture = ''] = /property="og:image" content="([^"]*)"/.exec(head) ?? []
    expect((await request.get(picture)).headers()['content-type'], path).toContain('image/')
    expect(head.includes('application/ld+json'), path).toBe(type !== 'website')
    const [, feed] = /<link rel="alternate" type="[^"]*" title="[^"]+" href="([^"]*)"/.exec(head) ?? []
    if (feed) expect((await request.get(feed)).headers()['content-type']).toContain('application/opds+json')
    expect(feed === undefined, path).toBe(type !== 'website')
  }
})

test('BOOK-16 NAV-46: player and sample of an unknown book are not found', async ({ request }) => {
  for (const path of ['/player/no-such-book', '/sample/no-such-book'])
    expect((await request.get(path)).status(), path).toBe(404)
  expect((await request.get('/sample/the-lamplighters-ledger')).status()).toBe(200)
})

test('a page of one’s own shows its header and tabs before its code has run, and they lead on', async ({
  page,
}) => {
  // The code never arrives.
  await page.route('**/assets/*.js', () => undefined)
  await page.goto('/you', { waitUntil: 'commit' })
  await expect(page.getByRole('banner').getByRole('link', { name: 'Search' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Membership' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Browse' }).click()
  await expect(page.getByRole('heading', { name: 'Browse', level: 1 })).toBeVisible()
  // The player fills the window.
  await page.goto('/sample/the-lamplighters-ledger', { waitUntil: 'commit' })
  await expect(page).toHaveTitle(/Lamplighter/)
  await expect(page.getByRole('banner')).toHaveCount(0)
})

test('what a page contains is not fetched again, however old the page is', async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) fetched.push(pathname)
  })
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(fetched).not.toContain('/api/homepage_panels')
  expect(fetched).not.toContain('/api/staff_pick_blocks')
})
