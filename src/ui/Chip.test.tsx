// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Chip, RemovableChip } from './Chip.tsx'

afterEach(cleanup)

test('a chip shows whether it is on by more than colour', () => {
  const { container, rerender } = render(<Chip pressed={false}>All</Chip>)
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('false')
  expect(container.querySelector('svg')).toBeNull()
  rerender(<Chip pressed>All</Chip>)
  expect(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed')).toBe('true')
  expect(container.querySelector('svg')).not.toBeNull()
})

test('a removable chip names what it removes', () => {
  render(<RemovableChip label="Memoir" />)
  expect(screen.getByRole('button', { name: 'Remove Memoir' })).toBeTruthy()
})
