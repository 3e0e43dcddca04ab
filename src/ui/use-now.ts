import { useEffect, useState } from 'react'

/** The time of the first render: words like "today" do not change while the user reads. */
export const useNow = (): number => useState(() => Date.now())[0]

/** True after this time: what could still arrive no longer moves what is shown. */
export function useIsLate(ms: number): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}

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
