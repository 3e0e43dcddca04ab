// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EditorialItem } from '#contract/editorial.ts'
import { playableRecording } from '#features/player/playable.ts'
import { usePosition } from '#features/player/position.ts'
import { usePlayer } from '#features/player/store.ts'
import { NetProblem } from '#net/problem.ts'
import type { Exchange } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { appAt, arrivedAt, heading, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'

const KINDS = [
  ['articles', 'article', 'Articles'],
  ['interviews', 'interview', 'Podcasts'],
  ['discussions', 'discussion', 'Events'],
] as const
const TYPES = [
  { id: 4, title: 'Essays' },
  { id: 7, title: 'Behind the microphone' },
]
const anItem = (slug: string, more: Partial<EditorialItem> = {}): EditorialItem =>
  ({
    ...{
      id: slug.length,
      slug,
      title: `On ${slug}`,
      summary: 'S',
      shortDescription: 'D',
      main: '<p>All of it.</p>',
    },
    ...{ image: null, imagePlaceholder: null, altText: '', featured: false, entityType: 'article' },
    ...{
      memberOnly: false,
      minimumTier: null,
      access: 'open',
      hideAuthor: false,
      category: null,
      type: null,
    },
    ...{ author: { firstName: 'Mina', lastName: 'Tallis', image: null, biography: 'She asks.' } },
    ...{ publishedAt: '2026-03-02T08:00:00Z', startsAt: null, hasAudio: false, hasVideo: false },
    ...{ audioFile: null, audioSeconds: null, videoLink: null, link: null, linkTitle: null },
    ...{ metaDescription: null, metaKeywords: null, relatedBooks: [] },
    ...more,
  }) as EditorialItem

/** Seven of a kind, five on a page. */
const paged =
  (of: (number: number) => unknown, total = 7) =>
  ({ search }: Exchange) => {
    const first = (Number(search?.get('_page')) - 1) * 5
    const numbers = Array.from({ length: Math.min(5, total - first) }, (_, index) => first + index + 1)
    return listOf(numbers.map(of), total)
  }
const titles = () =>
  within(screen.getByRole('main'))
    .getAllByRole('heading', { level: 2 })
    .map(({ textContent }) => textContent)
const numbered = (...numbers: number[]) => numbers.map((number) => `On number-${number}`)

beforeEach(() => becomeVisitor())
afterEach(cleanup)

test.each(KINDS)(
  'EDIT-01 NAV-13: /%s shows five at a time, until all are there',
  async (path, entityType, name) => {
    shopAnswers({
      [`/api/${path}`]: paged((n) => anItem(`number-${n}`, { id: n, entityType })),
    })
    await appAt(`/${path}`)
    expect(await heading(name)).toBeTruthy()
    expect(document.title).toBe(`${name} | Murmur`)
    expect(titles()).toEqual(numbered(1, 2, 3, 4, 5))
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(titles()).toEqual(numbered(1, 2, 3, 4, 5, 6, 7)))
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
  },
)

test.each(KINDS)(
  'EDIT-02 NAV-14: an item of /%s opens at its address, with its words and who wrote them',
  async (path, entityType) => {
    shopAnswers({
      [`/api/${path}`]: listOf([anItem('salt', { entityType })]),
      [`/api/${path}/salt`]: anItem('salt', { entityType }),
    })
    const app = await appAt(`/${path}`)
    await userEvent.click(await screen.findByRole('link', { name: /On salt/ }))
    await arrivedAt(app, `/${path}/salt`)
    expect(await heading('On salt')).toBeTruthy()
    expect(document.title).toBe('On salt | Murmur')
    const article = within(screen.getByRole('article'))
    expect(article.getByText('All of it.')).toBeTruthy()
    expect(article.getByText('Mina Tallis')).toBeTruthy()
    expect(article.getByText('She asks.')).toBeTruthy()
  },
)

test.each(KINDS)('EDIT-03: what cannot be loaded of /%s is a page that is not found', async (path) => {
  shopAnswers({})
  await appAt(`/${path}/nothing-of-the-kind`)
  expect(await heading('Page not found')).toBeTruthy()
})

test('EDIT-10: an item that hides its author shows none, in its list and on its page', async () => {
  const quiet = anItem('letters', { hideAuthor: true, author: null })
  shopAnswers({ '/api/articles': listOf([quiet]), '/api/articles/letters': quiet })
  const app = await appAt('/articles')
  expect((await screen.findByRole('link', { name: /On letters/ })).textContent).toMatch(/2nd March 2026$/)
  expect(screen.getByRole('main').textContent).not.toMatch(/Mina|null|undefined/)
  await act(() => app.router.navigate({ to: '/articles/$slug', params: { slug: 'letters' } }))
  await heading('On letters')
  expect(screen.getByRole('main').textContent).not.toMatch(/Mina|null|undefined/)
})

const HELD_BACK = { memberOnly: true, access: 'member', minimumTier: 'supporter' } as const

test.each([
  ['articles', { hasAudio: true }, 'recording'],
  ['interviews', { entityType: 'interview', hasVideo: true }, 'film'],
  ['discussions', { entityType: 'discussion', minimumTier: 'reader' }, 'invitation'],
] as const)(
  'EDIT-05 EDIT-09 ROLE-04: of /%s a visitor reads the text, and is told how to get the rest',
  async (path, more, what) => {
    const whom = 'minimumTier' in more ? 'Readers and Avid Readers' : 'members'
    shopAnswers({ [`/api/${path}/salt`]: anItem('salt', { ...HELD_BACK, ...more }) })
    await appAt(`/${path}/salt`)
    const block = within(await screen.findByRole('region', { name: `The ${what} is for members` }))
    expect(
      block.getByText(
        `Membership pays the people who write and read these. Everything here is free to read; the ${what} is for ${whom}.`,
      ),
    ).toBeTruthy()
    expect(block.getByRole('link', { name: 'Become a member' }).getAttribute('href')).toBe('/subscription')
    expect(block.getByText('Cancel at any time.').parentElement!.textContent).toContain(
      'a month. Cancel at any time.',
    )
    expect(block.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe(
      `/login?from=%2F${path}%2Fsalt`,
    )
    expect(screen.getByText('All of it.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Listen|Show the film/ })).toBeNull()
  },
)

/** The page is a visitor's; what this reader may have is asked with a token. */
const asReader =
  (own: () => Partial<EditorialItem>) =>
  ({ as }: Exchange) =>
    anItem('salt', { hasAudio: true, ...HELD_BACK, ...(as ? own() : {}) })

test('ROLE-09: who is in and has no plan finds the same as a visitor, without a way to log in', async () => {
  nellIsIn()
  shopAnswers({ '/api/articles/salt': asReader(() => ({})) })
  await appAt('/articles/salt')
  const block = within(await screen.findByRole('region', { name: 'The recording is for members' }))
  expect(block.queryByRole('link', { name: 'Log in' })).toBeNull()
  expect(screen.getByText('All of it.')).toBeTruthy()
})

test('EDIT-04 EDIT-09: beside a recording for members, the free ones play in place, in the list too', async () => {
  const podcast = (slug: string, more: object = {}) =>
    anItem(slug, { entityType: 'interview', hasAudio: true, ...more })
  const locked = podcast('salt', HELD_BACK)
  shopAnswers({
    '/api/interviews/salt': locked,
    '/api/interviews': listOf([locked, podcast('open-doors'), podcast('a-film', { hasAudio: false })]),
  })
  await appAt('/interviews/salt')
  const free = within(await screen.findByRole('region', { name: 'Free to hear' }))
  expect(free.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/interviews/open-doors',
  ])
  expect(free.getByRole('button', { name: 'Play On open-doors' })).toBeTruthy()
  cleanup()
  await appAt('/interviews')
  await heading('Podcasts')
  const names = screen
    .getAllByRole('button', { name: /^Play / })
    .map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual(['Play On open-doors'])
})

test('a piece ends with the newest others of its kind, an event only with those still ahead', async () => {
  const ends = async (kind: string, pieces: readonly EditorialItem[]) => {
    shopAnswers({ [`/api/${kind}/salt`]: pieces[0], [`/api/${kind}`]: listOf(pieces) })
    await appAt(`/${kind}/salt`)
    const more = within(await screen.findByRole('region', { name: /^More / }))
    const links = more.getAllByRole('link').map((link) => link.getAttribute('href'))
    cleanup()
    return links
  }
  expect(await ends('articles', [anItem('salt'), anItem('tides'), anItem('lamps-lit')])).toEqual([
    '/articles',
    '/articles/tides',
    '/articles/lamps-lit',
  ])
  const event = (slug: string, startsAt: string) => anItem(slug, { entityType: 'discussion', startsAt })
  const year = new Date().getFullYear()
  expect(
    await ends('discussions', [
      event('salt', `${year + 1}-03-02T19:00:00Z`),
      event('last-year', `${year - 1}-03-02T19:00:00Z`),
      event('next-year', `${year + 1}-04-02T19:00:00Z`),
    ]),
  ).toEqual(['/discussions', '/discussions/next-year'])
})

test('EDIT-05 EDIT-09: a member hears, sees and is invited; beyond the plan an upgrade is offered', async () => {
  nellIsIn()
  let own: Partial<EditorialItem> = {
    access: 'open',
    audioFile: '/media/recordings/a.mp3',
    videoLink: 'https://youtu.be/abcdef12345',
    link: 'https://tickets.example/',
    linkTitle: 'Put your name on the list',
  }
  shopAnswers({ '/api/articles/salt': asReader(() => own) })
  await appAt('/articles/salt')
  expect(await screen.findByRole('button', { name: 'Listen to the recording' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Put your name on the list' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: /is for members/ })).toBeNull()
  // Nothing is requested from the video's host before a press.
  expect(document.querySelector('iframe')).toBeNull()
  expect(screen.getByRole('button', { name: 'Show the film' })).toBeTruthy()
  cleanup()

  own = { access: 'upgrade', minimumTier: 'reader' }
  await appAt('/articles/salt')
  const block = await screen.findByRole('region', { name: 'The recording is for members' })
  expect(block.textContent).toContain('Your plan doesn’t include this recording. Reader does')
  expect(screen.queryByRole('button', { name: 'Listen to the recording' })).toBeNull()
})

test('EDIT-05: a member is never asked to become one, neither while the answer is on its way nor when none comes', async () => {
  nellIsIn()
  let answer = Promise.withResolvers<Partial<EditorialItem>>()
  shopAnswers({
    '/api/articles/salt': async ({ as }: Exchange) =>
      anItem('salt', { hasAudio: true, ...HELD_BACK, ...(as ? await answer.promise : {}) }),
  })
  await appAt('/articles/salt')
  await heading('On salt')
  expect(screen.queryByRole('region', { name: /is for members/ })).toBeNull()
  answer.reject(new NetProblem('offline', 0))
  expect(await screen.findByText(/We couldn’t load everything that goes with this piece/)).toBeTruthy()
  expect(screen.queryByRole('region', { name: /is for members/ })).toBeNull()
  answer = Promise.withResolvers()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  answer.resolve({ access: 'open', audioFile: '/media/recordings/a.mp3' })
  expect(await screen.findByRole('button', { name: 'Listen to the recording' })).toBeTruthy()
})

const PARTS = [
  { seconds: 0, title: 'What was the dilemma?' },
  { seconds: 40, title: 'So it went.' },
]

test('EDIT-14: a podcast has its recording above the transcript, and its parts next to it', async () => {
  const item = anItem('salt', {
    ...{ entityType: 'interview', hasAudio: true, audioFile: '/media/recordings/a.mp3' },
    ...{ audioSeconds: 75, parts: PARTS },
  })
  shopAnswers({ '/api/interviews/salt': item })
  await appAt('/interviews/salt')
  const bar = await screen.findByRole('region', { name: 'Recording' })
  expect(bar.textContent).toMatch(/What was the dilemma\?.*1:15/)
  const transcript = screen.getByRole('heading', { name: 'Transcript' })
  expect(bar.compareDocumentPosition(transcript)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(screen.getByRole('button', { name: '0:40 So it went.' })).toBeTruthy()
})

test('EDIT-14: a question in the transcript that begins a part has its time, and plays it', async () => {
  const asked = (question: string) => `<p><strong>${question}</strong></p><p>An answer.</p>`
  const item = anItem('salt', {
    ...{ entityType: 'interview', hasAudio: true, audioFile: '/media/recordings/a.mp3' },
    ...{ audioSeconds: 75, parts: PARTS },
    main: `<p>Before.</p>${PARTS.map(({ title }) => asked(title)).join(asked('And an aside?'))}`,
  })
  shopAnswers({ '/api/interviews/salt': item })
  await appAt('/interviews/salt')
  expect(await screen.findByText('Press a time to hear it')).toBeTruthy()
  // In the transcript and in the list of parts.
  for (const name of ['0:00 What was the dilemma?', '0:40 So it went.'])
    expect(screen.getAllByRole('button', { name })).toHaveLength(2)
  expect(screen.getAllByText('An answer.')).toHaveLength(3)
  expect(screen.getByText('And an aside?').closest('button')).toBeNull()
})

test('EDIT-14: the text marks the question that the player has reached', async () => {
  const asked = (question: string) => `<p><strong>${question}</strong></p><p>An answer.</p>`
  const item = anItem('salt', {
    ...{ entityType: 'interview', hasAudio: true, audioFile: '/media/recordings/a.mp3' },
    ...{ audioSeconds: 75, parts: PARTS, main: PARTS.map(({ title }) => asked(title)).join('') },
  })
  shopAnswers({ '/api/interviews/salt': item })
  await appAt('/interviews/salt')
  await screen.findByText('Press a time to hear it')
  const marked = () => document.querySelectorAll('main [aria-current]')
  expect(marked()).toHaveLength(0)
  const { state } = usePlayer.getState()
  act(() => {
    usePlayer.setState({ state: { ...state, title: playableRecording(item) } })
    usePosition.setState({ seconds: 41 })
  })
  // In the list of parts and in the transcript.
  expect(Array.from(marked(), ({ textContent }) => textContent)).toEqual([
    '0:40So it went.',
    '0:40 So it went.',
  ])
  act(() => {
    usePlayer.setState(usePlayer.getInitialState(), true)
    usePosition.setState(usePosition.getInitialState(), true)
  })
})

test('EDIT-14: on phones the list of parts opens with a press', async () => {
  const item = anItem('salt', {
    ...{ entityType: 'interview', hasAudio: true, audioFile: '/media/recordings/a.mp3' },
    ...{ audioSeconds: 75, parts: PARTS },
  })
  shopAnswers({ '/api/interviews/salt': item })
  await appAt('/interviews/salt')
  const opener = await screen.findByRole('button', { name: /In this conversation\s*2 questions/ })
  expect(opener.getAttribute('aria-expanded')).toBe('false')
  await userEvent.click(opener)
  expect(opener.getAttribute('aria-expanded')).toBe('true')
  const list = document.getElementById(opener.getAttribute('aria-controls')!)!
  expect(within(list).getAllByRole('button')).toHaveLength(2)
  expect(list.compareDocumentPosition(screen.getByRole('heading', { name: 'Transcript' }))).toBe(
    Node.DOCUMENT_POSITION_FOLLOWING,
  )
})

const AN_EVENT = anItem('salt', {
  ...{ entityType: 'discussion', startsAt: '2030-11-24T17:00:00Z', endsAt: '2030-11-24T18:30:00Z' },
  ...{ place: 'The swing bridge, Whitby', placeNote: 'By the rail', admission: 'Free', seats: 12 },
})
const ticket = () => screen.findByRole('group', { name: 'Date and seat' })

test('EDIT-15: an event’s day, hours and place are above its text, and its card names the day', async () => {
  shopAnswers({
    '/api/discussions': listOf([AN_EVENT]),
    '/api/discussions/salt': AN_EVENT,
    '/api/discussions/salt/seats': { left: 3, kept: false },
  })
  const app = await appAt('/discussions')
  const card = await screen.findByRole('link', { name: /On salt/ })
  expect(card.textContent).toMatch(/On Sunday 24 November 2030, 17:00$/)
  await userEvent.click(card)
  await arrivedAt(app, '/discussions/salt')
  const block = await ticket()
  expect(block.textContent).toMatch(
    /November 2030Sunday, 17:00 to 18:30.*The swing bridge, WhitbyBy the rail/,
  )
  expect(block.compareDocumentPosition(screen.getByText('All of it.'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(await within(block).findByText('3 left')).toBeTruthy()
})

test('EDIT-15: an event that is over keeps no seats and says so', async () => {
  const over = { startsAt: '2026-01-05T17:00:00Z', endsAt: '2026-01-05T18:00:00Z', over: true }
  shopAnswers({ '/api/discussions/salt': { ...AN_EVENT, ...over } })
  await appAt('/discussions/salt')
  const block = within(await ticket())
  expect(block.getByText(/It’s over/)).toBeTruthy()
  // Readers could take the day of publishing for the event's day.
  expect(document.querySelectorAll('main time')).toHaveLength(1)
  expect(block.queryByRole('button')).toBeNull()
  expect(block.queryByRole('link')).toBeNull()
})

test('EDIT-11: a listener keeps a seat and gives it back; a full event says so', async () => {
  nellIsIn()
  let seats = { left: 1, kept: false }
  const changeTo = (next: typeof seats) => () => (seats = next)
  shopAnswers({
    '/api/discussions/salt': AN_EVENT,
    '/api/discussions/salt/seats': () => seats,
    'POST /api/discussions/salt/seat': changeTo({ left: 0, kept: true }),
    'DELETE /api/discussions/salt/seat': changeTo({ left: 0, kept: false }),
  })
  await appAt('/discussions/salt')
  const block = within(await ticket())
  await userEvent.click(await block.findByRole('button', { name: 'Keep me a seat' }))
  expect(await block.findByText('We’ve kept you a seat.')).toBeTruthy()
  const calendar = block.getByRole('link', { name: 'Add to calendar' })
  expect(calendar.getAttribute('href')).toBe('/feeds/events/salt.ics')
  await userEvent.click(block.getByRole('button', { name: 'I can’t come' }))
  expect(await block.findByText(/^Every seat is taken/)).toBeTruthy()
  expect(block.queryByRole('button', { name: 'Keep me a seat' })).toBeNull()
})

test('EDIT-12: a guest asks with a name and an address, and the link in the email confirms', async () => {
  const { asked } = shopAnswers({
    '/api/discussions/salt': AN_EVENT,
    '/api/discussions/salt/seats': { left: 3, kept: false },
    'POST /api/discussions/salt/seats': {},
    'POST /api/seats/confirm/t-1': { left: 2, kept: true },
    'POST /api/seats/give-back/t-1': {},
  })
  await appAt('/discussions/salt')
  await userEvent.click(await within(await ticket()).findByRole('button', { name: 'Keep me a seat' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.click(form.getByRole('button', { name: 'Email me the link' }))
  expect(await form.findByText('Name is required')).toBeTruthy()
  await userEvent.type(form.getByLabelText('Your name'), ' Una Reed ')
  await userEvent.type(form.getByLabelText('Your email'), 'una@post.example')
  await userEvent.click(form.getByRole('button', { name: 'Email me the link' }))
  expect(await form.findByText(/We’ve sent you an email/)).toBeTruthy()
  expect(
    asked.find(({ path, method }) => method === 'POST' && path === '/api/discussions/salt/seats')?.json,
  ).toEqual({
    name: 'Una Reed',
    email: 'una@post.example',
  })
  cleanup()

  await appAt('/discussions/salt?seat=t-1')
  expect(await within(await ticket()).findByText('We’ve kept you a seat.')).toBeTruthy()
  cleanup()

  await appAt('/discussions/salt?giveBack=t-1')
  await userEvent.click(await within(await ticket()).findByRole('button', { name: 'Give my seat back' }))
  expect(await within(await ticket()).findByText('Thank you. Somebody else can have it.')).toBeTruthy()
})

test('EDIT-06: a film to anywhere that is no film cannot be shown, and says so', async () => {
  shopAnswers({ '/api/articles/salt': anItem('salt', { videoLink: 'https://films.example/clip' }) })
  await appAt('/articles/salt')
  expect(await screen.findByText('Invalid URL')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show the film' })).toBeNull()
})

/** Murmurations of two types, the odd ones essays. */
function journal(more: () => unknown = () => undefined) {
  return shopAnswers({
    '/api/types/murmurations': listOf(TYPES),
    '/api/murmurations': (request: Exchange) => {
      if (request.search?.get('_page') !== '1') more()
      const wanted = request.search?.get('types')?.split(',').map(Number)
      const all = [1, 2, 3, 4, 5, 6, 7].filter((n) => !wanted || wanted.includes(n % 2 ? 4 : 7))
      return paged((n) => {
        const type = all[n - 1]! % 2 ? TYPES[0] : TYPES[1]
        return {
          article: anItem(`number-${all[n - 1]}`, { id: n, type } as never),
          interview: null,
          discussion: null,
        }
      }, all.length)(request)
    },
  })
}

test('EDIT-08 NAV-20: the type of murmurations is in the address, also after Back', async () => {
  journal()
  const app = await appAt('/murmurations')
  expect(await heading('Murmurations')).toBeTruthy()
  const chip = (name: string) => screen.getByRole('button', { name })
  expect(titles()).toEqual(numbered(1, 2, 3, 4, 5))
  await userEvent.click(chip('Behind the microphone'))
  await arrivedAt(app, '/murmurations?types=7')
  await waitFor(() => expect(titles()).toEqual(numbered(2, 4, 6)))
  expect(chip('Behind the microphone').getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(chip('Essays'))
  await arrivedAt(app, '/murmurations?types=4,7')
  act(() => app.router.history.go(-2))
  await arrivedAt(app, '/murmurations')
  await waitFor(() => expect(chip('Behind the microphone').getAttribute('aria-pressed')).toBe('false'))
})

test('EDIT-08: types that cannot be leave a list all the same', async () => {
  journal()
  await appAt('/murmurations?types=99999999999,7,7,-4,x')
  await heading('Murmurations')
  expect(screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)).toEqual([
    'Behind the microphone',
  ])
  expect(titles()).toEqual(numbered(2, 4, 6))
})

test('EDIT-07: a failure to load more is shown once, and a press tries again', async () => {
  let broken = true
  const { asked } = journal(() => {
    if (broken) throw new NetProblem('server', 500)
  })
  await appAt('/murmurations')
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  expect(await screen.findByText('We couldn’t load any more. Please try again.')).toBeTruthy()
  const pagesAsked = () => asked.filter(({ search }) => search?.get('_page') === '2').length
  expect(pagesAsked()).toBe(1)
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  await soon(() => expect(titles()).toEqual(numbered(1, 2, 3, 4, 5, 6, 7)))
  expect(pagesAsked()).toBe(2)
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})
