import { useEffect, useState } from 'react'

/** (ACC-31, ACC-32, ACC-40) */
const SHOWN_MS = 5_000

/** A value that disappears five seconds after it was set. */
export function useBriefly<T>(): [T | undefined, (value: T | undefined) => void] {
  const [shown, setShown] = useState<{ value: T }>()
  useEffect(() => {
    if (!shown) return undefined
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return [shown?.value, (value) => setShown(value === undefined ? undefined : { value })]
}
