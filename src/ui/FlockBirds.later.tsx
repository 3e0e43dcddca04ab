import { flockPath } from './flock-path.ts'

const PATH = flockPath()

export const FlockBirds = () => <path fill="currentColor" d={PATH} />
