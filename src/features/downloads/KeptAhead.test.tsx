// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Holding } from '#storage/inventory.ts'
import { KeptAhead } from './DownloadsPanel.tsx'

afterEach(cleanup)

test('automatic downloads are listed with their size, so that the totals add up', () => {
  const holding = {
    title: { key: 'audio/salt', title: 'The Salt Ledger', kept: 0 },
    files: [{ chapter: 2 }, { chapter: 3 }],
    begun: new Map(),
    bytes: 700_000,
  } as unknown as Holding
  render(<KeptAhead holdings={[holding]} />)
  expect(screen.getByRole('listitem').textContent).toBe('The Salt Ledger 2 chapters, 0.7 MBRemove')
  expect(screen.getByRole('button', { name: 'Remove The Salt Ledger' })).toBeTruthy()
})
