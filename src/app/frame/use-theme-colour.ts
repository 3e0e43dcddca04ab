import { useEffect } from 'react'

/** The browser's own bars follow the band below the header, and return to paper after it. */
export function useThemeColour(colour: string | undefined) {
  useEffect(() => {
    if (!colour) return undefined
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
    const before = metas.map((meta) => meta.content)
    metas.forEach((meta) => (meta.content = colour))
    return () => metas.forEach((meta, index) => (meta.content = before[index] ?? ''))
  }, [colour])
}
