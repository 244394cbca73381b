import { expect, test } from 'vitest';
import { buildPlayerUrl, keyOfPublicVideo, parsePublicVideo } from './public-video.ts';

const ID = 'M7lc1UVf-VE';

test.each([
  [`https://www.youtube.com/watch?v=${ID}`, null],
  [`https://youtu.be/${ID}?t=95`, 95],
  [`https://m.youtube.com/watch?app=x&v=${ID}&t=1m35s`, 95],
  [`https://www.youtube.com/live/${ID}?t=1h2m3s`, 3_723],
  [`https://youtube.com/shorts/${ID}#t=12`, 12],
  [`https://www.youtube-nocookie.com/embed/${ID}?start=7`, 7],
])('%s is a video of YouTube', (link, startSeconds) => {
  expect(parsePublicVideo(link)).toEqual({ site: 'YouTube', id: ID, hash: null, startSeconds });
});

test.each([
  ['https://vimeo.com/76979871', null, null],
  ['https://vimeo.com/76979871/ab12cd34ef#t=1m5s', 'ab12cd34ef', 65],
  ['https://player.vimeo.com/video/76979871?h=ab12cd34ef', 'ab12cd34ef', null],
])('%s is a video of Vimeo', (link, hash, startSeconds) => {
  expect(parsePublicVideo(link)).toEqual({ site: 'Vimeo', id: '76979871', hash, startSeconds });
});

test.each([
  null,
  'no link',
  'https://video.example/lap',
  `https://youtube.example/watch?v=${ID}`,
  `https://www.youtube.com.example/watch?v=${ID}`,
  'https://www.youtube.com/watch?v=too-short',
  'https://www.youtube.com/watch?v="><script>',
  'https://vimeo.com/about',
])('%s has no player here', (link) => {
  expect(parsePublicVideo(link)).toBeNull();
});

test('a start that is no time is none', () => {
  for (const start of ['', 'x', '-5', '1e9', '99999999s'])
    expect(parsePublicVideo(`https://youtu.be/${ID}?t=${start}`)?.startSeconds).toBeNull();
});

test('the player is asked for no cookies and obeys this site alone', () => {
  const video = { site: 'YouTube', id: ID, hash: null, startSeconds: null } as const;
  const url = new URL(buildPlayerUrl(video, 'https://laps.example'));
  expect([url.origin, url.pathname]).toEqual(['https://www.youtube-nocookie.com', `/embed/${ID}`]);
  expect(url.searchParams.get('origin')).toBe('https://laps.example');
  expect(keyOfPublicVideo(video)).toBe(`youtube:${ID}`);
});
