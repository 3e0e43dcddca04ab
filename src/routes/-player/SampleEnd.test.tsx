// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { User } from '#contract/account.ts'
import { playerPorts } from '#app/player-ports.ts'
import { installPlayer } from '#features/player/lazy.ts'
import { usePlayer } from '#features/player/store.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { openApp } from '#tests/support/app.tsx'
import { aBook } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

const book = { ...aBook(1), audioFiles: [], chapters: [], inLibrary: false, sample: '/media/sample.m4a' }
const at = `/sample/${book.slug}`

beforeEach(() => {
  becomeVisitor()
  installPlayer({
    ports: () => playerPorts(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
    visit: () => undefined,
  })
})
afterEach(() => {
  usePlayer.getState().controls?.turnOff()
  cleanup()
  becomeVisitor()
})

async function heardToItsEnd(fields: object = {}) {
  await openApp(at, { [`/api/audio_books/${book.slug}`]: { ...book, ...fields } })
  const play = await screen.findByRole('button', { name: 'Play' })
  play.focus()
  await act(async () => usePlayer.setState(({ state }) => ({ state: { ...state, status: 'ended' } })))
  await screen.findByText('End of the sample')
}

test('the end of a sample shows the price and the remaining length, a button for the bag, and one to replay it', async () => {
  await heardToItsEnd()
  const title = screen.getByRole('heading', { level: 1, name: book.title })
  expect(document.activeElement).toBe(title)
  await screen.findByText(/^4 h 26 m to go\./)
  expect(document.body.textContent).toContain(`£${book.price}`)
  expect(screen.getByRole('button', { name: 'Add to bag' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Hear the sample again' }))
  await soon(() => expect(screen.queryByText('End of the sample')).toBeNull())
})

test('paying: with a saved card, one press at the end of a sample buys the book', async () => {
  const owner = { uuid: crypto.randomUUID(), firstName: 'Nell', fullName: 'Nell Hart' }
  const savedCard = { id: crypto.randomUUID(), brand: 'visa', last4: '4242' }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the screen reads nothing else of the user
  becomeUser(owner, { ...owner, currentSubscription: null, savedCard } as unknown as User)
  await heardToItsEnd()
  expect(
    await screen.findByRole('button', { name: `Buy now, £${book.price} · Visa ending 4242` }),
  ).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add to bag' })).toBeTruthy()
})

test('an owner is not sold the book at the end of its sample, but plays it', async () => {
  becomeUser({ uuid: crypto.randomUUID(), firstName: 'Nell', fullName: 'Nell Hart' }, null)
  await heardToItsEnd({ inLibrary: true })
  expect(await screen.findByRole('button', { name: 'Play the book' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add to bag' })).toBeNull()
})
