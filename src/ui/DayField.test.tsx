// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { DayField } from './DayField.tsx'

afterEach(cleanup)

function Day({ first = '2026-12-09' }: { first?: string }) {
  const [typed, setTyped] = useState('')
  return <DayField label="Delivery date" value={typed} first={first} onChange={setTyped} />
}
const field = () => screen.getByLabelText<HTMLInputElement>('Delivery date')
const day = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test('GIFT-08: the day is typed and shown as day, month, year, and the field explains the format', () => {
  render(<Day />)
  expect(field().placeholder).toBe('DD/MM/YYYY')
  fireEvent.click(day('25 December 2026'))
  expect(field().value).toBe('25/12/2026')
  expect(day('25 December 2026').getAttribute('aria-pressed')).toBe('true')
  fireEvent.change(field(), { target: { value: '14/02/2027' } })
  expect(day('14 February 2027').getAttribute('aria-pressed')).toBe('true')
})

test('GIFT-23: weeks begin on Monday, and no day before today is offered', () => {
  render(<Day />)
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)[0]).toBe('Mo')
  expect(day('8 December 2026').disabled).toBe(true)
  expect(day('9 December 2026').disabled).toBe(false)
  expect(day('Previous month').disabled).toBe(true)
  fireEvent.click(day('Next month'))
  expect(day('1 January 2027').disabled).toBe(false)
  expect(day('Previous month').disabled).toBe(false)
})

test('the calendar is one Tab stop, and keys move by days, weeks and months, never before today', () => {
  render(<Day />)
  const grid = screen.getByRole('table')
  const stops = () =>
    [...grid.querySelectorAll('button')]
      .filter(({ tabIndex }) => tabIndex === 0)
      .map((stop) => stop.getAttribute('aria-label'))
  const press = (key: string) => fireEvent.keyDown(day(stops()[0]!), { key })
  expect(stops()).toEqual(['9 December 2026'])
  press('ArrowRight')
  press('ArrowDown')
  expect(stops()).toEqual(['17 December 2026'])
  press('PageDown')
  expect(stops()).toEqual(['17 January 2027'])
  press('PageUp')
  press('PageUp')
  expect(stops()).toEqual(['9 December 2026'])
})

test('the calendar can be closed', () => {
  render(<Day />)
  fireEvent.click(screen.getByRole('button', { name: 'Hide calendar' }))
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('button', { name: 'Show calendar' })).toBeTruthy()
})
