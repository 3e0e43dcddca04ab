import { useEffect, useState } from 'react'

/** True after this time: what could still arrive no longer moves what is shown. */
export function useIsLate(ms: number): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLate
}
