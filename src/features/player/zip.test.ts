import { describe, expect, it, vi } from 'vitest'
import { aPlayable, fakePorts } from '#tests/support/a-playable.ts'
import { saveZip } from './zip.ts'

describe('downloading as zip', () => {
  it('PLAY-04: online it is the server’s zip, from a freshly signed address', async () => {
    const loadBook = vi.fn(() => Promise.resolve(aPlayable({ download: '/media/zip/fresh' })))
    const ports = fakePorts({ loadBook })
    const download = vi.fn()
    await saveZip(ports, aPlayable({ download: '/media/zip/expired' }), download)
    expect(download).toHaveBeenCalledExactlyOnceWith('/media/zip/fresh')
    expect(ports.zipped).toEqual([])
  })

  it('PLAY-04: offline it is made of what is on the device', async () => {
    const ports = fakePorts()
    const download = vi.fn()
    ports.goOffline()
    await saveZip(ports, aPlayable(), download)
    expect(download).not.toHaveBeenCalled()
    expect(ports.zipped).toEqual(['the-salt-ledger'])
  })

  it('PLAY-04: the same where the server does not answer after all', async () => {
    const ports = fakePorts({ loadBook: () => Promise.reject(new Error('timeout')) })
    await saveZip(ports, aPlayable(), vi.fn())
    expect(ports.zipped).toEqual(['the-salt-ledger'])
  })
})
