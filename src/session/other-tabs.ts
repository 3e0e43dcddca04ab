type Changed = (change: Pick<StorageEvent, 'oldValue' | 'newValue'>) => void

/** Calls back when another tab changed what local storage holds under this key, or cleared all of it. Returns a stop. */
export function followOtherTabs(key: string, changed: Changed): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === key || event.key === null) changed(event)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
