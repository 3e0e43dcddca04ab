// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MESSAGES } from '#contract/messages.ts'
import { aBook, aShelf, atTheShelves, books } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

const LIST = '/api/audio_books'

beforeEach(() => {
  window.innerWidth = 1280
})
afterEach(cleanup)

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const panel = () => screen.queryByRole('complementary', { name: 'Filters' })
const count = () => screen.getAllByRole('status')[0]!.textContent
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const shelf = () => screen.getAllByRole('list').find((list) => list.tagName === 'UL')!
const checkbox = (name: string) => screen.findByRole('checkbox', { name })
async function openPanel() {
  press(/Show filters/)
  await checkbox('Lyrical')
}

test('LIST-03: a toggle shows and hides the filters; pressed twice at once it leaves them as they were', async () => {
  aShelf(books(14))
  await atTheShelves('/audiobooks')
  expect(panel()).toBeNull()
  await openPanel()
  const toggle = screen.getByRole('button', { name: /Hide filters/ })
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  await act(async () => {
    toggle.click()
    toggle.click()
  })
  expect(panel()).not.toBeNull()
  press(/Hide filters/)
  await soon(() => expect(panel()).toBeNull())
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
})

test('LIST-05: author nationality is a filter of audiobooks, not of e-books', async () => {
  aShelf(books(3))
  const names = async (address: string) => {
    await atTheShelves(address)
    await openPanel()
    const found = within(panel()!)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
    cleanup()
    return found
  }
  const both = ['Style', 'Length', 'Category', 'Geographical setting', 'Publisher']
  expect(await names('/ebooks')).toEqual(both)
  expect(await names('/audiobooks')).toEqual([...both, 'Author nationality'])
})

test('LIST-10 LIST-26: a filter begins again at page 1 and writes the address, and Back returns to the page before', async () => {
  aShelf(books(30))
  const { search, back } = await atTheShelves('/audiobooks?page=2')
  const before = titles()
  expect(before).toHaveLength(12)
  await openPanel()
  fireEvent.click(await checkbox('Plain'))
  await soon(() => expect(search()).toEqual({ 'styles[]': '2' }))
  await soon(() => expect(count()).toBe('15 results'))
  expect(screen.getByRole('button', { name: 'Remove Plain' })).toBeTruthy()
  press(/^9 h or less/)
  await soon(() => expect(search()).toEqual({ 'styles[]': '2', 'lengthHours[lte]': '9' }))
  await back()
  await back()
  expect(search()).toEqual({ page: '2' })
  await soon(() => expect(count()).toBe('30 results'))
  await soon(() => expect(titles().filter((title) => title !== 'Filters')).toEqual(before))
})

test('LIST-11: while other results are on their way the shelf stays and says that it waits', async () => {
  const shop = aShelf(books(30))
  await atTheShelves('/audiobooks')
  await openPanel()
  shop.hold(LIST)
  fireEvent.click(await checkbox('Lyrical'))
  await soon(() => expect(shelf().getAttribute('aria-busy')).toBe('true'))
  expect(within(shelf()).getAllByRole('listitem')).toHaveLength(12)
  expect(shelf().hasAttribute('data-waiting')).toBe(true)
  expect(count()).toBe('30 results')
  await shop.release()
  await soon(() => expect(shelf().getAttribute('aria-busy')).toBe('false'))
  expect(count()).toBe('15 results')
})

test('LIST-12: where nothing is left the listing says so, and never of the next one', async () => {
  const shop = aShelf(books(14))
  const { search } = await atTheShelves('/audiobooks?styles[]=99')
  expect(screen.getByText(MESSAGES.noResultsListing)).toBeTruthy()
  expect(count()).toBe('0 results')
  const saidOfNone = new Set<string | null>()
  const look = () => {
    if (screen.queryByText(MESSAGES.noResultsListing)) saidOfNone.add(count())
  }
  const watching = new MutationObserver(look)
  watching.observe(document.body, { childList: true, subtree: true, characterData: true })
  shop.hold(LIST)
  press('Clear all')
  await soon(() => expect(search()).toEqual({}))
  await soon(() => expect(document.querySelector('[aria-busy="true"]')).not.toBeNull())
  look()
  await shop.release()
  await soon(() => expect(within(shelf()).getAllByRole('listitem')).toHaveLength(12))
  watching.disconnect()
  expect([...saidOfNone]).toEqual(['0 results'])
})

test('on a phone the filters come in a sheet, whose button says how much is left', async () => {
  window.innerWidth = 390
  aShelf(books(15))
  const { search } = await atTheShelves('/audiobooks')
  press(/^Filters/)
  const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }))
  fireEvent.click(await sheet.findByRole('checkbox', { name: 'Lyrical' }))
  await soon(() => expect(search()).toEqual({ 'styles[]': '1' }))
  fireEvent.click(await sheet.findByRole('button', { name: 'Show 8 results' }))
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(count()).toBe('8 results')
})

test('no page beyond the end is the current one, and the page that one is on is', async () => {
  aShelf(books(30))
  await atTheShelves('/audiobooks?page=3')
  const current = () =>
    within(screen.getByRole('navigation', { name: 'Pages' }))
      .getAllByRole('link')
      .filter((link) => link.hasAttribute('aria-current'))
      .map((link) => link.getAttribute('aria-label'))
  expect(current()).toEqual(['Page 3'])
  cleanup()
  await atTheShelves('/audiobooks?page=99')
  expect(current()).toEqual([])
  expect(screen.getByText('There are only 3 pages.')).toBeTruthy()
})

test('LIST-14: a card leads to its audiobook or to its e-book', async () => {
  aShelf([aBook(1), aBook(2, { entityType: 'eBook', pages: 300 })])
  await atTheShelves('/audiobooks')
  const address = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
  expect(address(/Harbour 01/)).toBe('/audiobooks/harbour-1')
  expect(address(/Harbour 02/)).toBe('/ebooks/harbour-2')
})
