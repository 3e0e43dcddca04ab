// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Carousel } from './Carousel.tsx'

afterEach(cleanup)

const slides = (count: number) =>
  Array.from({ length: count }, (_, index) => <a key={index} href="/x">{`Book ${index}`}</a>)

test('CONST-07: arrows are shown only for more than four slides', () => {
  const { rerender } = render(<Carousel title="Highlights">{slides(4)}</Carousel>)
  expect(screen.queryByRole('button')).toBeNull()
  rerender(<Carousel title="Highlights">{slides(5)}</Carousel>)
  expect(screen.getByRole('button', { name: 'Previous, Highlights' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  expect(screen.getByRole('button', { name: 'Next, Highlights' })).toBeTruthy()
})

test('a carousel is a named region with a list', () => {
  render(
    <Carousel title="Highlights" more={<a href="/all">View all</a>}>
      {slides(3)}
    </Carousel>,
  )
  const region = screen.getByRole('region', { name: 'Highlights' })
  expect(within(region).getAllByRole('listitem')).toHaveLength(3)
  expect(within(region).getByRole('link', { name: 'View all' })).toBeTruthy()
})
