// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { aBook, aShelf, atTheShelves, books } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { reasonFor } from './ChooseAudiobook.tsx'

afterEach(() => {
  cleanup()
  useOwnedTitles.setState({ owned: new Set() })
  becomeVisitor()
})

function aMemberWith(left: number, hasCredit = left > 0) {
  const shop = aShelf(books(4, { currentlyHighlighted: true, secondEdition: true }))
  shop.also = {
    '/api/suggested_audio_books': {
      'hydra:member': [
        { book: aBook(3), shared: { kind: 'narrator', name: 'Della Voss', finished: 'The Salt Ledger' } },
        { book: aBook(4), shared: null },
      ],
      'hydra:totalItems': 2,
    },
    '/api/get-current-subscription': { id: 's1' },
    '/api/subscriptions/s1/details': {
      credits: { left, until: '2099-12-22T10:00:00Z', leavesToPayBack: null },
      subscription: { gift: false },
    },
    '/api/audio_books/add-to-library/harbour-1': aBook(1),
    '/api/audio_books/add-to-library/harbour-3': aBook(3),
  }
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, {
    currentSubscription: { id: 's1' },
    hasCredit,
  } as never)
  return shop
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('month: choosing shows how many are left and until when, three with a reason, and takes one press and one to confirm', async () => {
  const shop = aMemberWith(2)
  await atTheShelves('/subscriber-selection')
  await screen.findByRole('heading', { level: 1, name: 'Choose two audiobooks' })
  await screen.findByText('Choose by 22nd December')
  const suggested = within(await screen.findByRole('list', { name: 'We thought of these for you' }))
  expect(suggested.getByText('Read by Della Voss, like The Salt Ledger')).toBeTruthy()
  fireEvent.click(suggested.getByRole('button', { name: 'Choose: Harbour 03' }))
  const question = await screen.findByRole('dialog', { name: 'Choose Harbour 03 as your free audiobook?' })
  expect(question.textContent).toContain('Free this month, £12 otherwise.')
  expect(shop.asked.filter((call) => call.includes('add-to-library'))).toEqual([])
  press('Choose it')
  await suggested.findByRole('button', { name: 'Listen now: Harbour 03' })
  expect(shop.asked.filter((call) => call.includes('add-to-library'))).toHaveLength(1)
})

test('month: a cover’s link asks first, and then needs two presses to sound', async () => {
  const shop = aMemberWith(1)
  const { search } = await atTheShelves('/subscriber-selection?choose=harbour-1')
  await screen.findByRole('dialog', { name: 'Choose Harbour 01 as your free audiobook?' })
  expect(shop.asked.filter((call) => call.includes('add-to-library'))).toEqual([])
  press('Choose it')
  const yours = within(await screen.findByRole('dialog', { name: 'Harbour 01 is yours' }))
  expect(yours.getByRole('button', { name: 'Listen now' })).toBeTruthy()
  press('Later')
  await soon(() => expect(search()).not.toHaveProperty('choose'))
})

test('month: a cover’s link takes nothing without an answer, and leads a visitor to the log-in and back', async () => {
  const shop = aMemberWith(1)
  await atTheShelves('/subscriber-selection?choose=harbour-1')
  await screen.findByRole('dialog', { name: 'Choose Harbour 01 as your free audiobook?' })
  press('Not now')
  await soon(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(shop.asked.filter((call) => call.includes('add-to-library'))).toEqual([])
  cleanup()
  becomeVisitor()
  const { path, search } = await atTheShelves('/subscriber-selection?choose=harbour-1')
  await soon(() => expect(path()).toBe('/login'))
  expect(search().from).toContain('choose=harbour-1')
})

test('month: a cover’s link says what is the matter if there is nothing to choose, or the title can’t be', async () => {
  aMemberWith(0)
  await atTheShelves('/subscriber-selection?choose=harbour-1')
  const nothing = await screen.findByRole('dialog', { name: 'There’s no free audiobook to choose just now' })
  expect(within(nothing).getByRole('link', { name: 'See the title' }).getAttribute('href')).toContain(
    'harbour-1',
  )
  cleanup()
  const shop = aMemberWith(1)
  shop.also['/api/audio_books/harbour-1'] = aBook(1, { secondEdition: false })
  await atTheShelves('/subscriber-selection?choose=harbour-1')
  await screen.findByRole('dialog', { name: 'This one can’t be chosen any more' })
  cleanup()
  await atTheShelves('/subscriber-selection?choose=nowhere')
  await screen.findByRole('dialog', { name: 'We can’t find this title' })
  cleanup()
  useOwnedTitles.setState({ owned: new Set(['audio/harbour-1' as never]) })
  await atTheShelves('/subscriber-selection?choose=harbour-1')
  await screen.findByRole('dialog', { name: 'Harbour 01 is yours' })
})

test('month: a suggestion has one line about what it shares with a finished title', () => {
  const shared = { name: 'Orrin Quay', finished: 'The Salt Ledger' }
  expect(reasonFor({ ...shared, kind: 'series' })).toBe('Also in Orrin Quay, like The Salt Ledger')
  expect(reasonFor({ ...shared, kind: 'author' })).toBe(
    'Also by Orrin Quay, whose The Salt Ledger you finished',
  )
  expect(reasonFor({ kind: 'tag', name: 'quiet suspense', finished: 'The Salt Ledger' })).toBe(
    'Quiet suspense, like The Salt Ledger',
  )
  expect(reasonFor(null)).toBeUndefined()
})
