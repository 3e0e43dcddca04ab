import { useEffect, type RefObject } from 'react'

/** The browser's own bars follow the band below the header, and return to paper after it. */
export function useThemeColour(ground: string | undefined, header: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!ground) return undefined
    // As it is drawn: the bars understand no variables.
    const colour = getComputedStyle(header.current!).getPropertyValue('--title-bg')
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
    const before = metas.map((meta) => meta.content)
    metas.forEach((meta) => (meta.content = colour))
    return () => metas.forEach((meta, index) => (meta.content = before[index]!))
  }, [ground, header])
}
