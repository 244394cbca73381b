import { trackIdSchema, type TrackId } from '#contract/ids.ts';

export type DemoTrack = {
  trackId: TrackId;
  /**
   * The bends of the racing line take this many times the cornering that the tyres hold, since outlines were drawn with
   * corners a little too tight or too wide. It is chosen so that a BMW M4 GT3 on slicks with a perfect driver needs the
   * reference time.
   */
  lineFactor: number;
  /** The racing line uses so much to either side of the outline: the road, and what the outline is wrong by. */
  halfWidthMeters: number;
};

/** Outlines of these tracks follow the road closely. */
const NARROW_METERS = 4;
const WIDE_METERS = 6;

const track = (trackId: string, lineFactor: number, halfWidthMeters = WIDE_METERS): DemoTrack => ({
  trackId: trackIdSchema.parse(trackId),
  lineFactor,
  halfWidthMeters,
});

/**
 * The demo community drives on these well-known tracks of the library, the most popular first. Reference times of GT3 cars
 * in seconds, from reports of qualifying:
 * Laguna Seca 82.5 (between the GTD poles of 2018, 84.456, motorsport.com, and 2024 on new asphalt, 79.727, asiafirstnews.com);
 * Nürburgring 113.6 (GT World Challenge 2025, speedweek.com); Spa 138.3 (test of the 24 hours, mostreliablecarbrands.com);
 * Zandvoort 92.8 (GT World Challenge 2025, speedweek.com); Suzuka 120.5 (10 Hours 2019, insideracing.com);
 * Silverstone 116.6 (British GT 2024, britishgt.simkin.co.uk); Hockenheim 98.5 (GT World Challenge 2023, motorsport.com);
 * Kyalami 101.6 (9 Hours 2020, endurance-info.com); Magny-Cours 95.9 (GT World Challenge 2025, franceracing.fr).
 * Estimates without a source: Road Atlanta 79, Mid-Ohio 79.5, Algarve 102, Interlagos 95, Mugello 106.5, Sepang 123,
 * Red Bull Ring 88.5, Waterford 63, GingerMan 82, Putnam Park 66, Autobahn South 80.
 */
export const DEMO_TRACKS: readonly DemoTrack[] = [
  track('weathertech-raceway-laguna-seca-full', 1),
  track('nurburgring-grand-prix', 1.14),
  track('circuit-de-spa-francorchamps-grand-prix', 1.01),
  track('circuit-zandvoort-grand-prix', 1.17),
  track('road-atlanta-full', 1.01),
  track('suzuka-circuit-full', 0.96),
  track('silverstone-circuit-grand-prix-arena', 1.29),
  track('waterford-hills-full', 0.73, NARROW_METERS),
  track('mid-ohio-sports-car-course-pro-no-chicane', 0.83, NARROW_METERS),
  track('hockenheimring-grand-prix', 0.94),
  track('autodromo-internacional-do-algarve-grand-prix', 1.14),
  track('kyalami-grand-prix-circuit-full', 1),
  track('gingerman-raceway-full-extended', 0.82, NARROW_METERS),
  track('autodromo-jose-carlos-pace-interlagos-grand-prix', 0.9),
  track('mugello-circuit-grand-prix', 1.23),
  track('sepang-international-circuit-grand-prix', 1.07),
  track('putnam-park-road-course-full', 0.9),
  track('red-bull-ring-grand-prix', 1.06),
  track('autobahn-country-club-south', 0.72, NARROW_METERS),
  track('circuit-de-nevers-magny-cours-grand-prix', 0.96),
];

/** @throws for a track that no driver of the demo drives on */
export function getDemoTrack(trackId: string): DemoTrack {
  const found = DEMO_TRACKS.find((one) => one.trackId === trackId);
  if (!found) throw new Error(`No driver of the demo drives on ${trackId}.`);
  return found;
}
