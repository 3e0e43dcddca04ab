// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { readFileSync } from 'node:fs'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveFirstPage } from '#app/start/first-page.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeVisitor } from '#session/store.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { appAt, arrivedAt, heading, listOf, nellIsIn, shopAnswers } from '#tests/support/app.tsx'

const FAQ = listOf([
  { name: 'Listening', faqsPublished: [{ question: 'Where?', answer: '<p>Here.</p>' }] },
  { name: 'Quiet', faqsPublished: [] },
  {
    name: 'Membership',
    faqsPublished: [
      { question: 'Can I cancel?', answer: '<p>At any time.</p>' },
      { question: 'Who reads?', answer: '<p>People.</p>' },
    ],
  },
])
const MEMBERSHIP = JSON.parse(readFileSync('content/demo/membership.json', 'utf8'))
const broken = () => {
  throw new NetProblem('server', 500)
}
const main = () => within(screen.getByRole('main'))

beforeEach(() => becomeVisitor())
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('INFO-01 NAV-12: questions are grouped in tabs by category, and open', async () => {
  shopAnswers({ '/api/f_a_q_categories': FAQ })
  await appAt('/faq')
  expect(await heading('Questions and answers')).toBeTruthy()
  expect(document.title).toBe('Questions and answers | Murmur')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Listening',
    'Membership',
  ])
  await userEvent.click(screen.getByRole('tab', { name: 'Membership' }))
  const question = await screen.findByRole('button', { name: 'Can I cancel?' })
  expect(question.getAttribute('aria-expanded')).toBe('false')
  expect(screen.queryByText('At any time.')).toBeNull()
  await userEvent.click(question)
  expect(question.getAttribute('aria-expanded')).toBe('true')
  expect(await screen.findByText('At any time.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Where?' })).toBeNull()
})

test('INFO-02 NAV-10 NAV-50: an info page shows its title and words, also by its old address', async () => {
  const page = { title: 'Support', content: '<p>Write to us, or <a href="/faq">look here</a>.</p>' }
  shopAnswers({ '/api/info_pages/support': page })
  for (const address of ['/info/support', '/info/contact-support']) {
    const app = await appAt(address)
    expect(await heading('Support')).toBeTruthy()
    expect(app.at()).toBe('/info/support')
    expect(document.title).toBe('Support | Murmur')
    expect(main().getByRole('link', { name: 'look here' }).getAttribute('href')).toBe('/faq')
    cleanup()
  }
})

test('INFO-03: an info page that there is not is not found', async () => {
  shopAnswers({})
  await appAt('/info/nothing-of-the-kind')
  expect(await heading('Page not found')).toBeTruthy()
  expect(document.title).toBe('Page not found | Murmur')
})

test('FTR-01: every footer links to the withdrawal page, which takes a statement and says where else one can withdraw', async () => {
  shopAnswers({ '/api/menu_entries': listOf(demoFile('menus.json').main) })
  await appAt('/withdraw')
  expect(await heading('Withdraw from a contract')).toBeTruthy()
  const footer = within(await screen.findByRole('contentinfo'))
  const inFooter = footer.getByRole('link', { name: 'Withdraw from contract here' })
  expect(inFooter.getAttribute('href')).toBe('/withdraw')
  const ways = [...main().getAllByRole('link')].map(
    (link) => `${link.textContent} ${link.getAttribute('href')}`,
  )
  expect(main().getByRole('heading', { name: 'Withdraw from contract here' })).toBeTruthy()
  expect(main().getByRole('textbox', { name: /Order number or contract/ })).toBeTruthy()
  expect(ways).toEqual([
    'Withdraw from your membership /subscription-details#withdraw',
    'Gifts you’ve sent /gifts',
    'Write to us /info/support',
  ])
})

test('NAV-09: the newsletter’s page asks for an address, and its footer does not ask once more', async () => {
  shopAnswers({ '/api/menu_entries': listOf(demoFile('menus.json').main) })
  await appAt('/newsletter-signup')
  expect(await heading('Our newsletter')).toBeTruthy()
  await screen.findByRole('contentinfo')
  expect(screen.getAllByLabelText('Your email')).toHaveLength(1)
  expect(main().getByRole('button', { name: 'Subscribe' })).toBeTruthy()
})

test('ERR-11: a broken answer to a screen’s own load leads to the server error, one behind a screen leaves it alone', async () => {
  shopAnswers({ '/api/f_a_q_categories': FAQ, '/api/menu_entries': broken, '/api/info_pages/about': broken })
  const app = await appAt('/faq')
  await heading('Questions and answers')
  await waitFor(() => expect(app.queryClient.getQueryState(['home', 'menu'])?.status).toBe('error'))
  expect(app.at()).toBe('/faq')
  leaveFirstPage()
  await act(() => app.router.navigate({ to: '/info/$slug', params: { slug: 'about' } }))
  await arrivedAt(app, '/server-error?from=%2Finfo%2Fabout')
  expect(await heading('Internal Server Error')).toBeTruthy()
})

async function plans() {
  shopAnswers({ '/api/membership_pages': listOf([MEMBERSHIP]), '/api/f_a_q_categories': FAQ })
  const app = await appAt('/subscription')
  return { ...app, plans: within(await screen.findByRole('region', { name: 'Plans' })) }
}
const tiers = (name: string) => {
  const plan = screen.getByRole('heading', { level: 3, name }).closest('li')!
  return within(plan)
}

test('MEMB-07 MEMB-08 MEMB-42: four plans, the free one without a card, the best one named, a year two months cheaper', async () => {
  const { plans: shown } = await plans()
  expect(shown.getByRole('heading', { name: 'Free' })).toBeTruthy()
  expect(shown.getByText(/No card/)).toBeTruthy()
  expect(tiers('Supporter').queryByText(/free audiobook/)).toBeNull()
  expect(tiers('Reader').getByText('1 free audiobook every month')).toBeTruthy()
  expect(tiers('Avid Reader').getByText('2 free audiobook every month')).toBeTruthy()
  expect(tiers('Avid Reader').getByText('Best value')).toBeTruthy()
  expect(shown.getAllByText('Best value')).toHaveLength(1)
  expect(shown.getByText('2 months free on annual')).toBeTruthy()
})

test('MEMB-10 MEMB-11: three voices are heard, and a gift is explained in three steps', async () => {
  await plans()
  expect([...document.querySelectorAll('blockquote')].map(({ textContent }) => textContent)).toEqual(
    MEMBERSHIP.testimonialBlocks
      .slice(0, 3)
      .map((voice: { authorDescription: string }) => voice.authorDescription),
  )
  const gift = within(screen.getByRole('region', { name: MEMBERSHIP.giftTitle }))
  expect(gift.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    MEMBERSHIP.giftStep1Title,
    MEMBERSHIP.giftStep2Title,
    MEMBERSHIP.giftStep3Title,
  ])
})

test('MEMB-02 MEMB-12: the membership names its benefits, answers its own questions and can be written to', async () => {
  await plans()
  for (const benefit of [
    'Up to 20% off the collection',
    'Full access to editorial content',
    'Subscriber-only event invitations',
    'Chosen by you from the current highlights',
  ])
    expect(main().getAllByText(benefit).length, benefit).toBeGreaterThan(0)
  await userEvent.click(main().getByRole('button', { name: 'Can I cancel?' }))
  expect(await screen.findByText('At any time.')).toBeTruthy()
  expect(main().queryByRole('button', { name: 'Where?' })).toBeNull()
  expect(main().getByRole('link', { name: 'Write to us' }).getAttribute('href')).toBe('/info/support')
})

test('MEMB-14 MEMB-43: without a plan each can be had, and who is in is told that the free one is theirs', async () => {
  const visitor = await plans()
  expect(visitor.plans.getAllByText('Get plan')).toHaveLength(3)
  expect(visitor.plans.queryByText('Your plan')).toBeNull()
  cleanup()
  nellIsIn()
  const nell = await plans()
  expect(nell.plans.getAllByText('Get plan')).toHaveLength(3)
  expect(nell.plans.getByText('Your plan').parentElement!.textContent).toContain('Free')
})

test('MEMB-18: a reader’s own plan is marked, and managed on its own page', async () => {
  nellIsIn({ currentSubscription: { id: 's1', plan: 4, status: 'active', canceledAt: null } as never })
  const { plans: shown } = await plans()
  expect(shown.getAllByText('Your plan')).toHaveLength(1)
  expect(tiers('Reader').getByText('Your plan')).toBeTruthy()
  expect(tiers('Reader').getByRole('link', { name: 'Manage' }).getAttribute('href')).toBe(
    '/subscription-details',
  )
  expect(shown.queryByText('Get plan')).toBeNull()
})

test('NAV-31 NAV-49: the membership’s old address leads to it, and a mailed token stays in its own', async () => {
  shopAnswers({ '/api/membership_pages': listOf([MEMBERSHIP]), '/api/f_a_q_categories': FAQ })
  const old = await appAt('/membership')
  await screen.findByText(MEMBERSHIP.joinDescription)
  expect(old.at()).toBe('/subscription')
  expect(document.title).toBe('Keep a small bookshop talking | Murmur')
  cleanup()
  const mailed = await appAt('/subscription/a-token-from-a-mail')
  await screen.findByText(MEMBERSHIP.joinDescription)
  expect(mailed.at()).toBe('/subscription/a-token-from-a-mail')
})

test('ERR-25 MEMB-21 MEMB-23: where the owner’s page cannot be had, the membership is told in a few words', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue()
  shopAnswers({ '/api/membership_pages': broken, '/api/f_a_q_categories': broken })
  const app = await appAt('/subscription')
  expect(await heading('Subscribe')).toBeTruthy()
  expect(app.at()).toBe('/subscription')
  expect(logged).toHaveBeenCalledWith('The membership page could not be loaded.', expect.any(NetProblem))
  expect(
    main()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Up to 20% off the collection',
    'Free audiobooks each month from the current highlights',
    'Full access to editorial content',
    'Subscriber-only event invitations',
  ])
  expect(main().getByRole('link', { name: '£8 a month' })).toBeTruthy()
  expect(main().getByRole('link', { name: '£80 a year' })).toBeTruthy()
})

test('MEMB-46: from those few words people find help, and the journal', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  shopAnswers({ '/api/membership_pages': broken })
  await appAt('/subscription')
  await heading('Subscribe')
  expect(main().getByRole('link', { name: 'Support' }).getAttribute('href')).toBe('/info/support')
  expect(main().getByRole('link', { name: 'Murmurations' }).getAttribute('href')).toBe('/murmurations')
})

test.each([
  [
    'by whoever made the account, it is told above the plans',
    undefined,
    'Thank you. Your address is confirmed.',
  ],
  [
    'and opens nothing, that is said above the plans',
    new NetProblem('refused', 422),
    'There was a problem confirming your email. Please try the link again or contact support.',
  ],
])('MEMB-13 ERR-17: a confirming link that leads to the plans: %s', async (_what, problem, words) => {
  const { asked } = shopAnswers({
    '/api/membership_pages': listOf([MEMBERSHIP]),
    '/api/f_a_q_categories': FAQ,
    '/api/user_confirmation/confirm': () => {
      if (problem) throw problem
      return { email: 'una@murmur.example' }
    },
  })
  await appAt('/subscription/mailed')
  expect(await screen.findByText((text) => text.includes(words))).toBeTruthy()
  expect(asked.find(({ method }) => method === 'POST')?.json).toEqual({ confirmationToken: 'mailed' })
  expect(screen.getByRole('region', { name: 'Plans' })).toBeTruthy()
})

test('MEMB-13: without a session, the link asks for the password before it confirms', async () => {
  const needs = { violations: [{ propertyPath: 'password', message: 'Enter your password' }] }
  const { asked } = shopAnswers({
    '/api/membership_pages': listOf([MEMBERSHIP]),
    '/api/f_a_q_categories': FAQ,
    '/api/user_confirmation/confirm': ({ json }: { json?: unknown }) => {
      if (!(json as { password?: string }).password) throw new NetProblem('refused', 422, needs)
      return { email: 'una@murmur.example' }
    },
  })
  await appAt('/subscription/mailed')
  await userEvent.type(await screen.findByLabelText('Password'), 'murmur-demo')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm my email' }))
  expect(await screen.findByText('Thank you. Your address is confirmed.')).toBeTruthy()
  expect(asked.at(-1)?.json).toEqual({ confirmationToken: 'mailed', password: 'murmur-demo' })
})
