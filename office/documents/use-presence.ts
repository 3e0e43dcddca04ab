import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { officeCall } from '../net/office-call.ts'

const EVERY_MS = 15_000

/** Says that one has this open, and returns who else has. */
export function usePresence(thing: string, isTyping: boolean) {
  const typing = useRef(isTyping)
  useEffect(() => {
    typing.current = isTyping
  }, [isTyping])
  const { data } = useQuery({
    queryKey: ['presence', thing],
    queryFn: () => officeCall('POST /api/office/presence', { body: { thing, isTyping: typing.current } }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    retry: false,
  })
  useEffect(
    () => () =>
      void officeCall('POST /api/office/presence', {
        body: { thing, isTyping: false, hasLeft: true },
      }).catch(() => undefined),
    [thing],
  )
  return data?.others ?? []
}
