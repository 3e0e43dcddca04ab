import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addressOfRunningShop, storeAddress } from './running-address.ts'

test('a command prints the address of the running shop, unless the settings name another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmur-address-'))
  try {
    expect(addressOfRunningShop({}, folder)).toEqual({})
    storeAddress(folder, 'http://localhost:4170')
    expect(addressOfRunningShop({}, folder)).toEqual({ PUBLIC_URL: 'http://localhost:4170' })
    expect(addressOfRunningShop({ PORT: '4000' }, folder)).toEqual({})
    expect(addressOfRunningShop({ PUBLIC_URL: 'https://shop.example' }, folder)).toEqual({})
  } finally {
    rmSync(folder, { recursive: true })
  }
})
