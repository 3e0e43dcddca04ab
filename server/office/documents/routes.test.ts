import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  FaqContent,
  HomeContent,
  MenusContent,
  NewsletterContent,
  OfficeDocument,
  PageContent,
  PieceContent,
} from '#contract/office/documents.ts'
import { documents } from '#server/db/schema/documents.ts'
import { editorialAuthors } from '#server/db/schema/editorial.ts'
import { homePanels, infoPages } from '#server/db/schema/pages.ts'
import { CATALOGUE_CHANGED } from '#server/features/catalogue/queries.ts'
import { emptyBin } from '#server/features/documents/queries.ts'
import { followContent } from '#server/features/documents/follow-content.ts'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let hana: StaffSession
let wilf: StaffSession
beforeAll(async () => {
  shop = await testShop()
  hana = await signedInStaff(shop, 'editor', { name: 'Hana Brodie' })
  wilf = await signedInStaff(shop, 'editor', { name: 'Wilf Garrity' })
  await shop.db
    .insert(editorialAuthors)
    .values({ nameKey: 'oswin carr', firstName: 'Oswin', lastName: 'Carr' })
  await shop.db
    .insert(infoPages)
    .values({ slug: 'about', title: 'About', content: '<p>We <em>read</em>.</p>' })
})
afterAll(() => shop.close())

type Opened<Content> = Omit<OfficeDocument, 'content'> & { content: Content }
const at = (name: string) => `/api/office/documents/${name}`
const open = async <Content>(name: string): Promise<Opened<Content>> =>
  (await hana.ask('GET', at(name))).json()
const save = (who: StaffSession, name: string, content: object, version: number) =>
  who.ask('PUT', `${at(name)}/draft`, { content, version })
const act = (name: string, what: string, body?: object) => hana.ask('POST', `${at(name)}/${what}`, body)
const publicly = (url: string) => {
  // A running server is notified of the change (server/features/catalogue/caches.ts); a test's shop doesn't listen.
  shop.answers.clear()
  return shop.app.inject({ url })
}
const reason = (answer: { json: () => Record<string, unknown> }) => answer.json()['hydra:description']

async function started(title: string): Promise<string> {
  const { kind, key } = (await hana.ask('POST', '/api/office/documents', { kind: 'article', title })).json()
  return `${kind}/${key}`
}

test('OFFICE-41: a draft is saved incomplete, says what is missing, and is public only once published', async () => {
  const name = await started('At the speed of soup')
  expect(name).toBe('article/at-the-speed-of-soup')
  expect(await started('At the speed of soup')).toBe('article/at-the-speed-of-soup-2')
  const { content, version, state, missing } = await open<PieceContent>(name)
  expect([state, missing.map(({ field }) => field)]).toEqual([
    'draft',
    ['body', 'shortDescription', 'author'],
  ])
  const early = await act(name, 'publish', { version })
  expect([early.statusCode, early.json().violations.length]).toEqual([422, 3])
  const written = {
    ...content,
    body: '## Twice\n\nHe *hurries*.<script>x</script>',
    shortDescription: 'A fortnight.',
    author: 'oswin carr',
  }
  expect((await save(hana, name, written, version)).json()).toMatchObject({ version: 2, missing: [] })
  expect((await publicly('/api/articles/at-the-speed-of-soup')).statusCode).toBe(404)
  const done = await act(name, 'publish', { version: 2 })
  expect(done.statusCode).toBe(200)
  expect(done.json().document).toMatchObject({ state: 'live', hasDraft: false, missing: [] })
  expect((await publicly('/api/articles/at-the-speed-of-soup')).json()).toMatchObject({
    title: 'At the speed of soup',
    main: '<h2>Twice</h2>\n<p>He <em>hurries</em>.</p>',
    author: { lastName: 'Carr' },
  })
  // As typed, once more: nothing is left to publish.
  const { content: again, version: now } = await open<PieceContent>(name)
  expect((await save(hana, name, again, now)).json()).toMatchObject({ hasDraft: false })
})

test('OFFICE-08: the pieces of the Journal are downloaded as CSV', async () => {
  const { total } = (await hana.ask('GET', '/api/office/journal?part=totals')).json()
  const { body } = await hana.ask('GET', '/api/office/journal/export?sort=title')
  expect(total).toBeGreaterThan(0)
  expect(body.trim().split('\n')).toHaveLength(total + 1)
  expect(body).toMatch(/^.*Title,Kind,Author,State/)
  expect((await hana.ask('GET', '/api/office/journal/export?sort=secret')).statusCode).toBe(400)
})

test('OFFICE-43: a save over a colleague’s newer version is refused with their name, and succeeds once that version is opened', async () => {
  const { content, version } = await open<PageContent>('page/about')
  const body = { thing: 'page about', isTyping: true }
  await wilf.ask('POST', '/api/office/presence', body)
  const { others } = (await hana.ask('POST', '/api/office/presence', { ...body, isTyping: false })).json()
  expect(others).toEqual([{ name: 'Wilf Garrity', isTyping: true }])

  expect((await save(wilf, 'page/about', { ...content, body: 'Wilf’s' }, version)).statusCode).toBe(200)
  const late = await save(hana, 'page/about', { ...content, body: 'Hana’s' }, version)
  expect([late.statusCode, reason(late)]).toEqual([409, 'Wilf Garrity saved this while you were typing.'])
  const theirs = await open<PageContent>('page/about')
  expect([theirs.content.body, theirs.savedBy]).toEqual(['Wilf’s', 'Wilf Garrity'])
  expect((await save(hana, 'page/about', { ...content, body: 'Hana’s' }, theirs.version)).statusCode).toBe(
    200,
  )
  // Two at once: one of them wins.
  const { version: next } = await open('page/about')
  const both = await Promise.all([
    save(hana, 'page/about', { ...content, body: 'One' }, next),
    save(wilf, 'page/about', { ...content, body: 'Two' }, next),
  ])
  expect(both.map(({ statusCode }) => statusCode).toSorted((one, two) => one - two)).toEqual([200, 409])
  await wilf.ask('POST', '/api/office/presence', { ...body, hasLeft: true })
  expect((await hana.ask('POST', '/api/office/presence', body)).json()).toEqual({ others: [] })
})

test('OFFICE-42: what was published is a version that can be restored, and a publication is undone', async () => {
  const bodyNow = async () => (await publicly('/api/info_pages/about')).json().content
  const first = await bodyNow()
  const publish = async (body: string) => {
    const { content, version } = await open<PageContent>('page/about')
    const saved = (await save(hana, 'page/about', { ...content, body }, version)).json()
    return (await act('page/about', 'publish', { version: saved.version })).json()
  }
  await publish('Second.')
  const { entry } = await publish('Third.')
  expect(await bodyNow()).toBe('<p>Third.</p>')
  const versions = async () => (await hana.ask('GET', `${at('page/about')}/versions`)).json().versions
  expect((await versions()).map(({ by }: { by: string }) => by)).toEqual([
    'Hana Brodie',
    'Hana Brodie',
    'The folder',
  ])
  await wilf.ask('POST', `/api/office/activity/${entry}/undo`)
  expect(await bodyNow()).toBe('<p>Second.</p>')

  const { content, version } = await open<PageContent>('page/about')
  const typed = (
    await save(hana, 'page/about', { ...content, body: 'Typed, and not published.' }, version)
  ).json()
  const oldest = (await versions()).at(-1)
  const restored = await act('page/about', 'restore', { id: oldest.id, version: typed.version })
  expect(restored.json().content.body).toBe('We *read*.')
  expect((await versions())[0]).toMatchObject({ what: 'draft', by: 'Hana Brodie' })
  expect(await bodyNow()).toBe('<p>Second.</p>')
  expect((await act('page/about', 'restore', { id: oldest.id, version })).statusCode).toBe(409)
  await act('page/about', 'publish', { version: restored.json().version })
  expect(await bodyNow()).toBe(first)
})

test('OFFICE-42: a piece is published at its time, once, unless the time is taken back', async () => {
  const name = await started('A night at the bakery')
  const { content } = await open<PieceContent>(name)
  const saved = (
    await save(hana, name, { ...content, body: 'Bread.', shortDescription: 'Bread.', hideAuthor: true }, 1)
  ).json()
  const url = '/api/articles/a-night-at-the-bakery'
  const past = await act(name, 'schedule', { version: saved.version, at: '2020-01-01T07:00' })
  expect([past.statusCode, reason(past)]).toEqual([
    422,
    'That time is past. Publish it now, or choose a later time.',
  ])
  const scheduled = (await act(name, 'schedule', { version: saved.version, at: '2100-06-27T07:00' })).json()
  // Summer time: 07:00 in the shop is 06:00 UTC.
  expect(scheduled.document).toMatchObject({ state: 'scheduled', publishAt: '2100-06-27T06:00:00.000Z' })
  await followContent(shop)
  expect((await publicly(url)).statusCode).toBe(404)
  await shop.db
    .update(documents)
    .set({ publishAt: new Date(shop.now().getTime() - 1) })
    .where(eq(documents.key, 'a-night-at-the-bakery'))
  await followContent(shop)
  expect((await publicly(url)).statusCode).toBe(200)
  expect(await open(name)).toMatchObject({ state: 'live', publishAt: null, savedBy: 'Hana Brodie' })
})

test('OFFICE-42: what is retired is in the bin, comes back, and is gone after 30 days', async () => {
  const name = 'article/at-the-speed-of-soup'
  const url = '/api/articles/at-the-speed-of-soup'
  const retired = await act(name, 'retire')
  expect(retired.json()).toMatchObject({ document: { state: 'binned' } })
  const { entry } = retired.json()
  expect((await publicly(url)).statusCode).toBe(404)
  const inBin = async () => (await hana.ask('GET', '/api/office/journal?state=binned')).json().rows
  expect(await inBin()).toMatchObject([{ key: 'at-the-speed-of-soup', state: 'binned' }])
  await hana.ask('POST', `/api/office/activity/${entry}/undo`)
  expect((await publicly(url)).statusCode).toBe(200)
  await act(name, 'retire')
  await shop.db
    .update(documents)
    .set({ binnedAt: new Date(shop.now().getTime() - 31 * 86_400_000) })
    .where(eq(documents.key, 'at-the-speed-of-soup'))
  await emptyBin(shop.db, new Date(shop.now().getTime() - 30 * 86_400_000))
  expect(await inBin()).toEqual([])
  expect((await hana.ask('GET', `${at(name)}/versions`)).json().versions).toEqual([])
  expect((await act('faq/faq', 'retire')).statusCode).toBe(422)
})

test('OFFICE-40: panels are put into order, shown to some and for some days, with titles of the owner’s choice', async () => {
  const { content, version } = await open<HomeContent>('home/home')
  expect(content.panels[0]).toMatchObject({ section: 'curatedIntroPicks', visible: true })
  const panel = { visible: true, seenBy: 'everyone' as const, from: null, until: null, titles: null }
  const panels: HomeContent['panels'] = [
    { ...panel, section: 'howItWorks', title: 'How it works' },
    { ...panel, section: 'editions', title: 'Editions', seenBy: 'members' },
    { ...panel, section: 'localShop', title: 'About us', until: '2020-01-01T00:00:00.000Z' },
    { ...panel, section: 'curatedIntroPicks', title: 'Good *books*' },
    { ...panel, section: 'playerApp', title: 'For visitors', seenBy: 'visitors' },
    { ...panel, section: 'newTitles', title: 'For accounts', seenBy: 'accounts' },
  ]
  const saved = (await save(hana, 'home/home', { ...content, panels }, version)).json()
  expect((await act('home/home', 'publish', { version: saved.version })).statusCode).toBe(200)
  const home = async () => (await publicly('/api/homepage_panels')).json()['hydra:member'][0]
  expect(await home()).toMatchObject({
    howItWorks: { weight: 10, visible: true },
    editions: { weight: 20, visible: false },
    localShop: { weight: 30, visible: false },
    curatedIntroPicks: { weight: 40, visible: true, italic: 'books' },
  })
  expect(await home()).toMatchObject({ playerApp: { visible: true }, newTitles: { visible: false } })
  const headers = await signedIn(shop, await aUser(shop))
  const own = (await shop.app.inject({ url: '/api/homepage_panels', headers })).json()['hydra:member'][0]
  expect(own).toMatchObject({
    playerApp: { visible: false },
    newTitles: { visible: true },
    editions: { visible: false },
  })
  const unknown = { ...content, panels: [{ ...panels[0]!, titles: ['no-such-title'] }] }
  const { missing, version: next } = (await save(hana, 'home/home', unknown, saved.version + 1)).json()
  expect(missing).toEqual([{ field: 'howItWorks', words: 'The shop has no title “no-such-title”.' }])
  expect((await act('home/home', 'publish', { version: next })).statusCode).toBe(422)
})

test('a panel that begins or ends renews the public answers', async () => {
  await followContent(shop)
  await shop.db
    .update(homePanels)
    .set({ shownUntil: new Date(shop.now().getTime() - 1) })
    .where(eq(homePanels.section, 'howItWorks'))
  const heard: string[] = []
  const stop = await shop.database.listen(CATALOGUE_CHANGED, (text) => heard.push(text))
  await followContent(shop)
  await expect.poll(() => heard.length).toBe(1)
  await followContent(shop)
  expect(heard).toHaveLength(1)
  await stop()
})

test('OFFICE-44: questions and menus are ordered, hidden and published as a whole', async () => {
  const faq = await open<FaqContent>('faq/faq')
  const question = { question: 'How?', answer: 'So, *slowly*.', published: true, part: null }
  const groups = {
    categories: [
      { name: 'Listening', questions: [question, { ...question, question: 'Why?', published: false }] },
      { name: 'Buying', questions: [{ ...question, answer: '' }] },
    ],
  }
  const incomplete = (await save(hana, 'faq/faq', groups, faq.version)).json()
  expect(incomplete.missing).toEqual([
    { field: 'categories.1.questions.0.answer', words: '“How?” has no answer.' },
  ])
  groups.categories[1]!.questions[0]!.answer = 'Here.'
  const complete = (await save(hana, 'faq/faq', groups, incomplete.version)).json()
  await act('faq/faq', 'publish', { version: complete.version })
  const asked = (await publicly('/api/f_a_q_categories')).json()['hydra:member']
  expect(asked).toMatchObject([
    { name: 'Listening', faqsPublished: [{ question: 'How?', answer: '<p>So, <em>slowly</em>.</p>' }] },
    { name: 'Buying' },
  ])
  expect(asked[0].faqsPublished).toHaveLength(1)

  const menus = await open<MenusContent>('menus/menus')
  const entry = { group: 'Links', title: 'Browse', url: '/browse', style: null, hidden: false }
  const main = [entry, { ...entry, title: 'About', url: '/info/about', hidden: true }]
  const bad = (
    await save(hana, 'menus/menus', { main: [{ ...entry, url: 'javascript:x' }], search: [] }, menus.version)
  ).json()
  expect(bad.missing).toHaveLength(1)
  const good = (await save(hana, 'menus/menus', { main, search: [] }, bad.version)).json()
  await act('menus/menus', 'publish', { version: good.version })
  const entries = (await publicly('/api/menu_entries')).json()['hydra:member']
  expect(entries.map(({ title }: { title: string }) => title)).toEqual(['Browse'])
})

test('OFFICE-76: a newsletter’s draft is in the shop, so a colleague goes on with it; the next one keeps it in the history', async () => {
  const name = 'newsletter/newsletter'
  const { content, version } = await open<NewsletterContent>(name)
  expect([content.markdown, version]).toEqual(['', 0])
  expect((await save(hana, name, { markdown: '# Peat' }, 0)).statusCode).toBe(200)
  const theirs = (await wilf.ask('GET', at(name))).json()
  expect([theirs.content.markdown, theirs.savedBy]).toEqual(['# Peat', 'Hana Brodie'])
  expect((await save(wilf, name, { markdown: '# Peat\n\nWet.' }, 1)).statusCode).toBe(200)
  expect((await save(hana, name, { markdown: '# Turf' }, 1)).statusCode).toBe(409)

  expect((await hana.ask('DELETE', `${at(name)}/draft`)).json().content.markdown).toBe('')
  const { versions } = (await hana.ask('GET', `${at(name)}/versions`)).json()
  const restored = await act(name, 'restore', { id: versions[0].id, version: 3 })
  expect(restored.json().content.markdown).toBe('# Peat\n\nWet.')
  const publish = await act(name, 'publish', { version: 4 })
  expect([publish.statusCode, reason(publish)]).toEqual([422, 'A newsletter is sent, not published.'])
  expect((await act(name, 'retire')).statusCode).toBe(422)
})

test('a draft of the wrong shape and a document that isn’t there are refused', async () => {
  const { content, version } = await open<PageContent>('page/about')
  expect((await save(hana, 'page/about', { ...content, body: 7 }, version)).statusCode).toBe(400)
  expect((await save(hana, 'page/about', { ...content, more: 'x' }, version)).statusCode).toBe(400)
  expect((await save(hana, 'page/nothing', content, 0)).statusCode).toBe(404)
  expect((await hana.ask('GET', at('page/nothing'))).statusCode).toBe(404)
})

test('the Journal is paged without gaps, and found by words, kind and state', async () => {
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await started(title)
  const ask = async (query: string) => (await hana.ask('GET', `/api/office/journal?${query}`)).json()
  for (const sort of ['-at', 'title']) {
    const all = await ask(`limit=200&sort=${sort}`)
    const keys: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const page: { rows: { key: string }[]; next: string | null } = await ask(
        `limit=2&sort=${sort}${after && `&after=${after}`}`,
      )
      keys.push(...page.rows.map(({ key }) => key))
      after = page.next
    }
    expect(keys).toEqual(all.rows.map(({ key }: { key: string }) => key))
    expect(new Set(keys).size).toBe(all.total)
  }
  expect((await ask('words=bakery')).rows).toMatchObject([{ key: 'a-night-at-the-bakery', state: 'live' }])
  expect((await ask('kind=interview')).total).toBe(0)
  expect((await ask('state=draft')).rows.every(({ state }: { state: string }) => state === 'draft')).toBe(
    true,
  )
})

test('OFFICE-82: a page that the law asks for begins at its address with a draft text, whose gaps keep it from being published', async () => {
  const toWrite = async () => (await hana.ask('GET', '/api/office/pages')).json().toWrite
  expect(await toWrite()).toContainEqual({ key: 'imprint', title: 'Who runs this shop' })
  const start = (template: string) =>
    hana.ask('POST', '/api/office/documents', { kind: 'page', title: 'Who runs this shop', template })
  expect((await start('about')).statusCode).toBe(404)
  expect((await start('imprint')).json()).toEqual({ kind: 'page', key: 'imprint' })
  expect(await toWrite()).not.toContainEqual(expect.objectContaining({ key: 'imprint' }))
  const { content, missing } = await open<PageContent>('page/imprint')
  expect(content.body).toContain('is run by')
  expect(missing).toContainEqual({ field: 'body', words: 'Fill the gap “your telephone number”.' })
  expect((await start('imprint')).json()).toEqual({ kind: 'page', key: 'imprint' })
})
