import { useState, useEffect } from 'react'

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
