// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { becomeVisitor } from '#session/store.ts'
import { heading, nellIsIn, openApp } from '#tests/support/app.tsx'

afterEach(() => {
  becomeVisitor()
  cleanup()
})

test('PAY-24: the page for a new card has its own name, not “Checkout”', async () => {
  nellIsIn()
  await openApp('/payment?update-card=1&subscription=7b0c9a52-8d0a-4f57-9a2e-6a2e0f1c9d11')
  expect(await heading('Your new card')).toBeTruthy()
})
