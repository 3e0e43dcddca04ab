// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createElement, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { connectivity } from '#net/connectivity.ts'
import { useBand } from '#ui/Band.tsx'
import { titleTheme } from '#ui/title-theme.ts'
import { AccessDenied } from '../problems/AccessDenied.tsx'
import { Footer } from '../footer/StandardFooter.tsx'
import { Header, type HeaderProps } from '../header/Header.tsx'
import { NotFound } from '../problems/NotFound.tsx'
import { ServerError } from '../problems/FailedScreen.tsx'
import { TABS } from '../menus/links.ts'
import { OfflineLine, TabBar, useOfflineState } from './AppShell.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { titleKey } from '#storage/title-key.ts'

afterEach(cleanup)
const visitor = { account: { signedIn: false } } satisfies HeaderProps

/** Renders components inside a router, at an address. */
async function draw(parts: ReactNode, at = '/', screens: Record<string, () => ReactNode> = {}) {
  const root = createRootRoute({ component: () => parts })
  const paths = { '/': () => null, '/browse': () => null, '/audiobooks': () => null, ...screens }
  const routes = Object.entries(paths).map(([path, component]) =>
    createRoute({ getParentRoute: () => root, path, component }),
  )
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  await router.load()
  await act(async () => void render(<RouterProvider router={router as never} />))
  return router
}

const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('the header links to browse, audiobooks, editions, journal and membership', async () => {
  await draw(<Header {...visitor} />)
  const main = within(screen.getByRole('navigation', { name: 'Main' }))
  expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/browse',
    '/audiobooks?page=1&itemsPerPage=12',
    '/editions?_page=1&itemsPerPage=5',
    '/murmurations',
    '/subscription',
  ])
})

test('the current page is marked, with any filters', async () => {
  await draw(<Header {...visitor} />, '/audiobooks?page=3')
  expect(screen.getByRole('link', { name: 'Audiobooks' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Browse' }).getAttribute('aria-current')).toBeNull()
})

test('HDR-10: visitors see the bag and the log-in', async () => {
  await draw(<Header {...visitor} bagCount={2} />)
  expect(href('Shopping bag, 2 items')).toBe('/shopping-bag')
  expect(href('Log in')).toBe('/login')
})

test('HDR-06: opening one header panel closes the other', async () => {
  const panels = { search: () => <p>Search panel</p>, bag: () => <p>Bag panel</p> }
  await draw(<Header {...visitor} panels={panels} />)
  await userEvent.click(screen.getByRole('button', { name: 'Search' }))
  await screen.findByText('Search panel')
  await userEvent.click(screen.getByRole('button', { name: 'Shopping bag' }))
  await screen.findByText('Bag panel')
  expect(screen.queryByText('Search panel')).toBeNull()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByText('Bag panel')).toBeNull())
})

test('the account menu opens with its entries, and closes on Esc', async () => {
  let left = false
  await draw(
    <Header
      account={{
        signedIn: true,
        name: 'Rosa Lind',
        entries: async () => [
          { key: 'library', label: 'Library', link: createElement('a', { href: '/library' }) },
          { key: 'out', label: 'Log out', onSelect: () => (left = true) },
        ],
      }}
    />,
  )
  const button = screen.getByRole('button', { name: 'Account' })
  await userEvent.click(button)
  expect((await screen.findByRole('menuitem', { name: 'Library' })).getAttribute('href')).toBe('/library')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await userEvent.click(button)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(left).toBe(true)
})

test('HDR-07: the header hides after scrolling 20 px down and returns on scrolling up', async () => {
  await draw(<Header {...visitor} />)
  Object.defineProperty(document.documentElement, 'scrollHeight', { value: 4_000, configurable: true })
  const header = screen.getByRole('banner')
  const away = () => header.className.includes('away')
  const scrollTo = (top: number) => {
    document.documentElement.scrollTop = top
    fireEvent.scroll(window)
  }
  scrollTo(20)
  expect(away()).toBe(false)
  scrollTo(21)
  expect(away()).toBe(true)
  scrollTo(400)
  expect(away()).toBe(true)
  scrollTo(398)
  expect(away()).toBe(false)
  scrollTo(410)
  expect(away()).toBe(false)
  scrollTo(419)
  expect(away()).toBe(true)
  scrollTo(0)
  expect(away()).toBe(false)
})

test('the header and the browser’s bars take the colours of the band below', async () => {
  const meta = document.head.appendChild(document.createElement('meta'))
  meta.name = 'theme-color'
  meta.content = '#F6F6F3'
  const theme = titleTheme('1F3D43', '17313A', 'F3E4C8')
  const Book = () => (useBand(theme), null)
  await draw(
    <>
      <Header {...visitor} />
      <Book />
    </>,
  )
  expect(screen.getByRole('banner').style.getPropertyValue('--title-bg')).toBe('#1F3D43')
  expect(meta.content).toBe('#1F3D43')
  cleanup()
  expect(meta.content).toBe('#F6F6F3')
  meta.remove()
})

test('NAV-61: the phone’s tabs link to home, browse, library, journal and you', async () => {
  await draw(<TabBar tabs={TABS} />, '/browse')
  const tabs = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole('link')
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
    ['Home', '/'],
    ['Browse', '/browse'],
    ['Library', '/library'],
    ['Journal', '/murmurations'],
    ['You', '/you'],
  ])
  expect(tabs.map((tab) => tab.getAttribute('aria-current'))).toEqual([null, 'page', null, null, null])
})

test.each([
  ['/articles/the-margins-of-a-page', 'Journal'],
  ['/settings', 'You'],
  ['/orders/7', 'You'],
  ['/library/notes', 'You'],
  ['/login', 'You'],
])('NAV-61: a tab is current for all pages of its section: %s', async (path, current) => {
  await draw(<TabBar tabs={TABS} />, path)
  const tabs = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole('link')
  const lit = tabs.filter((tab) => tab.getAttribute('aria-current'))
  expect(lit.map(({ textContent }) => textContent)).toEqual([current])
})

test('NAV-61: “Library” is the current tab on the page of a title of one’s own', async () => {
  const lit = () =>
    within(screen.getByRole('navigation', { name: 'Sections' }))
      .getAllByRole('link')
      .flatMap((tab) => (tab.getAttribute('aria-current') ? [tab.textContent] : []))
  await draw(<TabBar tabs={TABS} />, '/audiobooks/the-margins-of-a-page')
  expect(lit()).toEqual(['Browse'])
  cleanup()
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', 'the-margins-of-a-page')]) })
  await draw(<TabBar tabs={TABS} />, '/audiobooks/the-margins-of-a-page')
  expect(lit()).toEqual(['Library'])
  cleanup()
  await draw(<TabBar tabs={TABS} />, '/ebooks/the-margins-of-a-page')
  expect(lit()).toEqual(['Browse'])
  useOwnedTitles.setState(useOwnedTitles.getInitialState())
})

test('the footer’s columns open and close on phones', async () => {
  await draw(
    <Footer
      columns={[{ title: 'Help', links: [{ label: 'Questions', to: '/faq' }] }]}
      social={[{ title: 'Mastodon', url: 'https://social.example/@murmur' }]}
      newsletter={<form aria-label="Newsletter" />}
    />,
  )
  const opener = screen.getByRole('button', { name: 'Help' })
  expect(opener.getAttribute('aria-expanded')).toBe('false')
  await userEvent.click(opener)
  expect(opener.getAttribute('aria-expanded')).toBe('true')
  expect(href('Questions')).toBe('/faq')
  expect(href('Mastodon')).toBe('https://social.example/@murmur')
  expect(screen.getByRole('form', { name: 'Newsletter' })).toBeTruthy()
})

test('shows offline below the header, and the return for three seconds', async () => {
  const Badge = ({ online }: { online: boolean }) => <OfflineLine state={useOfflineState(online)} />
  const { rerender } = render(<Badge online />)
  expect(screen.getByRole('status').textContent).toBe('')
  rerender(<Badge online={false} />)
  await waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe('You’re offline. Your downloads still play.'),
  )
  rerender(<Badge online />)
  expect(screen.getByRole('status').textContent).toBe('Back online')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''))
})

test('a page that opens offline says so in its first rendering, so that nothing moves', () => {
  const Badge = () => <OfflineLine state={useOfflineState(false)} />
  render(<Badge />)
  expect(screen.getByRole('status').textContent).toBe('You’re offline. Your downloads still play.')
})

test('error screens explain the error and offer links', async () => {
  await draw(
    <>
      <NotFound />
      <ServerError />
      <AccessDenied from="/orders" />
    </>,
  )
  expect(screen.getAllByRole('heading', { level: 1 }).map((heading) => heading.textContent)).toEqual([
    'Page not found',
    'Internal Server Error',
    'This page needs an account',
  ])
  expect(href('Log in')).toBe('/login?from=%2Forders')
})

test('trap 22: reports a captive portal, with a link that opens its page in a new tab', async () => {
  vi.spyOn(connectivity, 'wantsSignIn').mockReturnValue(true)
  await draw(<OfflineLine state="offline" />)
  const link = await within(screen.getByRole('status')).findByRole('link', {
    name: 'This network wants you to sign in',
  })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/?network', '_blank'])
})
