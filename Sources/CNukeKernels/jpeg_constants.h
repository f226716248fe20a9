// The factors of the inverse transforms, 1.0 being 1 << 13 (Loeffler, Ligtenberg, Moschytz: "Practical fast 1-D DCT
// algorithms with 11 multiplications", 1989).
#pragma once

enum {
  F_0_211 = 1730,
  F_0_298 = 2446,
  F_0_390 = 3196,
  F_0_509 = 4176,
  F_0_541 = 4433,
  F_0_601 = 4926,
  F_0_720 = 5906,
  F_0_765 = 6270,
  F_0_850 = 6967,
  F_0_899 = 7373,
  F_1_061 = 8697,
  F_1_175 = 9633,
  F_1_272 = 10426,
  F_1_451 = 11893,
  F_1_501 = 12299,
  F_1_847 = 15137,
  F_1_961 = 16069,
  F_2_053 = 16819,
  F_2_172 = 17799,
  F_2_562 = 20995,
  F_3_072 = 25172,
  F_3_624 = 29692,
};
