// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aShelf, atTheShelves, books } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'

afterEach(cleanup)

const style = (name: string) => screen.getByRole('button', { name })
const collection = () =>
  within(screen.getByRole('region', { name: 'Collection' })).getAllByRole('heading', { level: 3 }).length

test('BROWSE-01: a style button puts its style into the address and takes it out again, and the shelves follow', async () => {
  const shop = aShelf(books(9))
  const { search, back } = await atTheShelves('/browse')
  expect(collection()).toBe(9)
  fireEvent.click(style('Plain'))
  await soon(() => expect(search()).toEqual({ 'styles[]': '2' }))
  await soon(() => expect(collection()).toBe(4))
  expect(style('Plain').getAttribute('aria-pressed')).toBe('true')
  fireEvent.click(style('Lyrical'))
  await soon(() => expect(search()).toEqual({ 'styles[]': '1,2' }))
  await soon(() => expect(collection()).toBe(9))
  fireEvent.click(style('Plain'))
  await soon(() => expect(search()).toEqual({ 'styles[]': '1' }))
  await soon(() => expect(collection()).toBe(5))
  await back()
  expect(search()).toEqual({ 'styles[]': '1,2' })
  expect(shop.asked).toContain('/api/audio_books/second_editions?itemsPerPage=12&page=1&styles[]=1')
})

test('in step: the browse screen has a shelf of such titles, in the chosen styles', async () => {
  const shop = aShelf(books(9, { inStep: true }))
  await atTheShelves('/browse?styles[]=2')
  const shelf = within(screen.getByRole('region', { name: 'Read and listen in step' }))
  expect(shelf.getAllByText('In step')).toHaveLength(4)
  expect(shop.asked).toContain('/api/audio_books?inStep=true&itemsPerPage=12&page=1&styles[]=2')
})
