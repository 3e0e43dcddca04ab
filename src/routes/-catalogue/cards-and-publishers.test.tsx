// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { askForShop, shop } from '#features/shop-details/shop.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { titleKey } from '#storage/title-key.ts'
import { appAt, heading, listOf, shopAnswers } from '#tests/support/app.tsx'
import { aBook, books, STYLES } from '#tests/support/title-lists.tsx'

const demo = shop()
afterEach(() => {
  cleanup()
  askForShop(() => demo)
})

const cardsAt = async (address: string) => {
  shopAnswers({ '/api/audio_books': listOf(books(3)), '/api/styles': listOf(STYLES) })
  await appAt(address)
  await heading('Audiobooks in a card')
}

const fullPrices = () =>
  screen.getAllByText(/in bookshops/).map(({ parentElement }) => parentElement!.textContent)

test('OP-05: the list of cards leads to the redemption of a card and to the page about cards', async () => {
  await cardsAt('/audiobooks-in-a-card')
  const main = within(screen.getByRole('main'))
  expect(main.getByRole('link', { name: 'I’ve been given one' }).getAttribute('href')).toBe('/redemption')
  expect(main.getByRole('link', { name: 'How cards work' }).getAttribute('href')).toBe(
    '/info/audiobook-in-a-card',
  )
})

test('the list of cards names the full price to members, and no price for a title that is not available', async () => {
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, { currentSubscription: {} } as never)
  shopAnswers({
    '/api/audio_books': listOf([aBook(1), aBook(2, { published: false })]),
    '/api/styles': listOf(STYLES),
  })
  await appAt('/audiobooks-in-a-card')
  await heading('Audiobooks in a card')
  expect(fullPrices()).toEqual(['£12 in bookshops'])
  expect(screen.getAllByText('Not available')).toHaveLength(1)
  becomeVisitor()
})

test('the list of cards says which titles the listener owns', async () => {
  shopAnswers({ '/api/audio_books': listOf([aBook(1), aBook(2)]), '/api/styles': listOf(STYLES) })
  useOwnedTitles.setState({ owned: new Set([titleKey('audio', aBook(2).slug)]) })
  await appAt('/audiobooks-in-a-card')
  await heading('Audiobooks in a card')
  expect(fullPrices()).toEqual(['£12 in bookshops'])
  expect(screen.getAllByText('In library')).toHaveLength(1)
  useOwnedTitles.setState({ owned: new Set() })
})

test('OP-05: the list of cards has no link to a closed page', async () => {
  askForShop(() => ({ ...demo, closed: '^(/redemption)/?$' }))
  await cardsAt('/audiobooks-in-a-card')
  const main = within(screen.getByRole('main'))
  expect(main.queryByRole('link', { name: 'I’ve been given one' })).toBeNull()
  expect(main.getByRole('link', { name: 'How cards work' })).toBeTruthy()
})

test('the page about cards draws the most colourful card with light letters, or else the newest card', async () => {
  const backOf = async (...cards: object[]) => {
    cleanup()
    shopAnswers({
      '/api/audio_books': listOf(cards),
      '/api/info_pages/audiobook-in-a-card': { title: 'Audiobooks in a card', content: '<p>Cards.</p>' },
      ...Object.fromEntries(cards.map((_, index) => [`/api/card_sums/harbour-${index + 1}`, {}])),
    })
    await appAt('/info/audiobook-in-a-card')
    return (await screen.findByText(/^Back: /)).parentElement!.textContent
  }
  const grey = aBook(1, { bookBackgroundColour: '55616B', textColour: 'F7F4EC' })
  const mustard = aBook(2, { bookBackgroundColour: 'C8963C', textColour: '1F1608' })
  const red = aBook(3, { bookBackgroundColour: '8E2F28', textColour: 'FBEBDD' })
  expect(await backOf(grey, mustard, red)).toContain('Harbour 03')
  expect(await backOf(mustard, aBook(2))).toContain('Harbour 02')
})

test('the list of publishers links to the books of each publisher that has any', async () => {
  const publisher = {
    id: 1,
    slug: 'low-tide',
    name: 'Low Tide',
    about: 'Books.',
    titles: 1,
    newest: [aBook(1)],
  }
  const unwritten = { id: 2, slug: 'unwritten', name: 'Unwritten', about: 'None yet.', titles: 0, newest: [] }
  shopAnswers({ '/api/publishers': listOf([publisher, unwritten]) })
  await appAt('/publishers')
  await heading('Publishers')
  expect(screen.getAllByRole('link', { name: /^See their books/ })).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'Unwritten' })).toBeTruthy()
  expect(screen.getAllByText('Their first book is on its way.')).toHaveLength(1)
})

test('the bands of publishers alternate between dark and light where their newest books allow it', async () => {
  const dark = { bookBackgroundColour: '1F3D43', textColour: 'FFFFFF' }
  const light = { bookBackgroundColour: 'F3E4C8', textColour: '171A24' }
  const publisher = (id: number, ...newest: object[]) => ({
    ...{ id, slug: `press-${id}`, name: `Press ${id}`, about: '', titles: newest.length },
    newest: newest.map((colours, index) => aBook(id * 10 + index, colours)),
  })
  shopAnswers({
    '/api/publishers': listOf([publisher(1, dark), publisher(2, dark, light), publisher(3, light, dark)]),
  })
  await appAt('/publishers')
  await heading('Publishers')
  const bands = screen.getAllByRole('heading', { name: /^Press/ }).map((name) => name.closest('li')!)
  expect(bands.map(({ style }) => style.getPropertyValue('--title-bg'))).toEqual([
    '#1F3D43',
    '#F3E4C8',
    '#1F3D43',
  ])
})
