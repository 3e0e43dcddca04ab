import { expect, test } from 'vitest'
import { missingName } from './NotFound.tsx'

test('NAV-53: each of the six paths has its own title on the not-found page, any other has none', () => {
  const names = ['/payment', '/payment-problem', '/gift', '/free-trial', '/xmas', '/promo'].map(missingName)
  expect(names).toEqual(['Payment', 'Payment problem', 'Gift', 'Free trial', 'Christmas', 'Promo'])
  expect(missingName('/gift/')).toBe('Gift')
  for (const other of ['/', '/gifts', '/gift/card', '/nothing']) expect(missingName(other)).toBeUndefined()
})
