import { useEffect, useState } from 'react'
import { SETTLED_AFTER_MS } from './model.ts'

/** The value as it was when nobody had changed it for 400 ms (SEARCH-02). */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
