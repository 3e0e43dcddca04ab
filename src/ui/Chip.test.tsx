// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Chip, RemovableChip } from './Chip.tsx'

afterEach(cleanup)

test('a chip tells whether it is on, and not by colour alone', () => {
  const { container, rerender } = render(<Chip pressed={false}>All</Chip>)
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('false')
  expect(container.querySelector('svg')).toBeNull()
  rerender(<Chip pressed>All</Chip>)
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('true')
  expect(container.querySelector('svg')).not.toBeNull()
})

test('a chip to remove says what goes away', () => {
  render(<RemovableChip label="Memoir" />)
  expect(screen.getByRole('button', { name: 'Remove Memoir' })).toBeTruthy()
})
