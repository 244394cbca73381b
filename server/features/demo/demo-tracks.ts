import { z } from 'zod';
import { trackIdSchema } from '#contract/ids.ts';

const demoTrackSchema = z.object({
  trackId: trackIdSchema,
  /**
   * The bends of the outline take this many times the cornering that the tyres hold. Outlines were drawn by hand, some with
   * corners too tight and some too wide, and the simulated driver stays near the middle, while real ones use the whole road.
   * The factor was chosen so that a GT3 car on slicks needs about its known lap time.
   */
  lineFactor: z.number(),
});

type DemoTrack = z.infer<typeof demoTrackSchema>;

/** The demo community drives on these well-known tracks of the library, the most popular first. */
export const DEMO_TRACKS: readonly DemoTrack[] = z.array(demoTrackSchema).parse([
  { trackId: 'weathertech-raceway-laguna-seca-full', lineFactor: 1.6 },
  { trackId: 'nurburgring-grand-prix', lineFactor: 2.65 },
  { trackId: 'circuit-de-spa-francorchamps-grand-prix', lineFactor: 3.4 },
  { trackId: 'circuit-zandvoort-grand-prix', lineFactor: 1.6 },
  { trackId: 'road-atlanta-full', lineFactor: 1.53 },
  { trackId: 'suzuka-circuit-full', lineFactor: 1.45 },
  { trackId: 'silverstone-circuit-grand-prix-arena', lineFactor: 2.88 },
  { trackId: 'waterford-hills-full', lineFactor: 0.9 },
  { trackId: 'mid-ohio-sports-car-course-pro-no-chicane', lineFactor: 0.9 },
  { trackId: 'hockenheimring-grand-prix', lineFactor: 2.16 },
  { trackId: 'autodromo-internacional-do-algarve-grand-prix', lineFactor: 3.34 },
  { trackId: 'kyalami-grand-prix-circuit-full', lineFactor: 2.71 },
  { trackId: 'gingerman-raceway-full-extended', lineFactor: 1 },
  { trackId: 'autodromo-jose-carlos-pace-interlagos-grand-prix', lineFactor: 1.47 },
  { trackId: 'mugello-circuit-grand-prix', lineFactor: 3.65 },
  { trackId: 'sepang-international-circuit-grand-prix', lineFactor: 2.67 },
  { trackId: 'putnam-park-road-course-full', lineFactor: 1.74 },
  { trackId: 'red-bull-ring-grand-prix', lineFactor: 1.81 },
  { trackId: 'autobahn-country-club-south', lineFactor: 0.82 },
  { trackId: 'circuit-de-nevers-magny-cours-grand-prix', lineFactor: 2.02 },
]);
