// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installPlayer } from '#features/player/lazy.ts'
import { playerPorts } from '#app/player-ports.ts'
import { usePlayer } from '#features/player/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet } from '#net/settings.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { aBook } from '#tests/support/title-lists.tsx'
import { arrivedAt, heading, openApp, appAt } from '#tests/support/app.tsx'

const book = { ...aBook(1), audioFiles: [], chapters: [], inLibrary: false, sample: '/media/sample.m4a' }
const at = `/player/${book.slug}`

beforeEach(() => {
  becomeVisitor()
  installPlayer({
    ports: () => playerPorts(new QueryClient({ defaultOptions: { queries: { retry: false } } })),
    visit: () => undefined,
  })
})
afterEach(() => {
  cleanup()
  becomeVisitor()
})

const logIn = () => screen.queryByRole('link', { name: 'Log in' })?.getAttribute('href')
const saysUntrue = () =>
  ['No sound yet', 'nothing to play', 'still being made', 'nothing to download'].some((words) =>
    document.body.textContent.includes(words),
  )

test('a visitor who opens a player is asked to log in and return, and offered the price and the sample', async () => {
  await openApp(at, { [`/api/audio_books/${book.slug}`]: book })
  await heading(book.title)
  expect(logIn()).toBe(`/login?from=${encodeURIComponent(at)}`)
  expect(await screen.findByRole('button', { name: 'Play sample' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add to bag' })).toBeTruthy()
  expect(document.body.textContent).toContain(`£${book.price}`)
  expect(screen.getByRole('button', { name: 'Back' })).toBeTruthy()
  expect(saysUntrue()).toBe(false)
})

test.each<[string, object, string]>([
  ['buy it', {}, 'Add to bag'],
  ['take a free title', { price: 0, subscriptionPrice: 0 }, 'ADD TO LIBRARY'],
  ['choose it as their free audiobook', { moveToLibrary: true }, 'Choose as free audiobook'],
])('a logged-in user who doesn’t own the title can %s', async (_what, fields, button) => {
  becomeUser({ uuid: crypto.randomUUID(), firstName: 'Nell', fullName: 'Nell Hart' }, null)
  await openApp(at, { [`/api/audio_books/${book.slug}`]: { ...book, ...fields } })
  await heading(book.title)
  expect(await screen.findByText('This one isn’t in your library yet.')).toBeTruthy()
  expect(await screen.findByRole('button', { name: button })).toBeTruthy()
  expect([logIn(), saysUntrue()]).toEqual([undefined, false])
})

test('an owned title without audio shows the reason, and offers its sample', async () => {
  becomeUser({ uuid: crypto.randomUUID(), firstName: 'Nell', fullName: 'Nell Hart' }, null)
  const fields = { inLibrary: true, sampleOnly: true }
  await openApp(at, { [`/api/audio_books/${book.slug}`]: { ...book, ...fields } })
  await heading(book.title)
  expect(await screen.findByText('This demo holds the sample alone.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Play sample' })).toBeTruthy()
  expect(logIn()).toBeUndefined()
})

test('after an offline logout it asks to wait for the login, instead of reporting missing audio', async () => {
  configureNet({ exchange: () => Promise.reject(new NetProblem('offline', 0)) })
  await appAt('/player/elsewhere')
  await heading('Log in to hear this.')
  expect(logIn()).toBe(`/login?from=${encodeURIComponent('/player/elsewhere')}`)
  connectivity.note(true)
  expect(saysUntrue()).toBe(false)
})

test('an e-book’s slug redirects to its page, an unknown one to "not found"', async () => {
  const eBook = { ...book, entityType: 'eBook', slug: 'to-read', pages: 300, audioFiles: [] }
  const app = await openApp('/player/to-read', { '/api/e_books/to-read': eBook })
  await arrivedAt({ at: app.path }, '/ebooks/to-read')
  cleanup()
  await openApp('/player/nothing-like-it')
  await heading('Page not found')
  expect(usePlayer.getState().state.title).toBeUndefined()
})
