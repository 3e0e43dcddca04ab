import { titleTheme } from '#ui/title-theme.ts'

/** The house's own title colours (docs/design.md, Screens). */
export const HOUSE = titleTheme('4A3A91', '3D2F7B', 'F6F6F3')
