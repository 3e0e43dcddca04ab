import { useEffect, useState } from 'react'
import type { Holding } from '#storage/inventory.ts'
import { openedDownloads } from './lazy.ts'
import { readStorage, type StorageFacts } from './storage.ts'
import { useDownloadsStore } from './store.ts'

export interface Stock {
  holdings: readonly Holding[]
  storage: StorageFacts | undefined
}

/** The titles on the device, read again whenever a download changed; undefined until they were read. */
export function useStock(): Stock | undefined {
  const byTitle = useDownloadsStore((state) => state.byTitle)
  const [stock, setStock] = useState<Stock>()
  useEffect(() => {
    let gone = false
    void (async () => {
      const holdings = (await openedDownloads()?.catch(() => undefined))?.holdings() ?? []
      const storage = await readStorage()
      if (!gone) setStock({ holdings, storage })
    })()
    return () => {
      gone = true
    }
  }, [byTitle])
  return stock
}
